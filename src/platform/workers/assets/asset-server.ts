/**
 * Serves the files of a folder beside a Worker, as Cloudflare does. Files are looked up at each request, so a change is
 * visible at once.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Capability, type LinkEntry, outside, type Side } from '#rpc';
import type { AssetsSettings } from '../config/assets-settings.ts';
import { ConfigError } from '../config/config-error.ts';
import { assetBytesMax } from '../limits.ts';
import { AssetFiles } from './asset-files.ts';
import { type AssetAnswer, findAsset, findFallback } from './asset-path.ts';
import { contentTypeOf } from './content-types.ts';
import { parsePathPattern } from './path-patterns.ts';
import { type AssetSource, UploadedAssets } from './uploaded-files.ts';
import { HeaderRules, listForeignProxies, RedirectRules } from './rule-files.ts';

export class AssetServer {
  readonly #settings: AssetsSettings;
  readonly #files: AssetSource;
  readonly #headers: HeaderRules;
  readonly #redirects: RedirectRules;
  /** Warnings about ignored rules. */
  readonly warnings: readonly string[];

  constructor(settings: AssetsSettings) {
    this.#settings = settings;
    const { directory, uploaded } = settings;
    this.#files = uploaded === undefined ? new AssetFiles(directory) : new UploadedAssets(uploaded);
    this.#headers = new HeaderRules(this.#files.readRules('_headers'));
    const redirects = this.#files.readRules('_redirects');
    this.#redirects = new RedirectRules(redirects);
    this.warnings = listForeignProxies(redirects).map(
      (line) =>
        `_redirects: the rule "${line}" is left out: with status 200 it must lead to a path of this site, or take a redirect such as 302`,
    );
  }

  /** The answer before the Worker; undefined if the Worker gets the request. */
  answerFirst(request: Request): Promise<Response> | undefined {
    if (this.#settings.isAlone) return this.answer(request);
    const url = new URL(request.url);
    if (this.#isForWorker(url)) return undefined;
    const isFound = this.#redirects.find(url) !== undefined || this.#find(url) !== undefined;
    if (isFound) return this.answer(request);
    // A browser that navigates to a missing path gets the page for that; requests of scripts go to the Worker.
    const isNavigation = request.headers.get('sec-fetch-mode') === 'navigate';
    return isNavigation && this.#settings.notFoundHandling !== 'none' ? this.answer(request) : undefined;
  }

  /** The answer of the binding's `fetch`. */
  async answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const redirection = this.#redirects.find(url);
    if (redirection !== undefined && 'answer' in redirection) return redirection.answer;
    const found = redirection === undefined ? this.#find(url) : this.#findProxied(redirection.path);
    return await this.#answerWith(found ?? this.#findFallback(url), url, request);
  }

  async #answerWith(found: AssetAnswer | undefined, url: URL, request: Request): Promise<Response> {
    if (found === undefined) return new Response(null, { status: 404 });
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
    }
    if (found.kind === 'redirect') {
      const location = encodePath(found.to) + url.search;
      return new Response(null, { status: 307, headers: { location } });
    }
    return await this.#serve(found, url, request);
  }

  #isForWorker(url: URL): boolean {
    const { workerFirst } = this.#settings;
    if (typeof workerFirst === 'boolean') return workerFirst;
    const fits = (pattern: string): boolean => parsePathPattern(pattern).match(url) !== undefined;
    const excluded = workerFirst.filter((pattern) => pattern.startsWith('!'));
    if (excluded.some((pattern) => fits(pattern.slice(1)))) return false;
    return workerFirst.some((pattern) => !pattern.startsWith('!') && fits(pattern));
  }

  /**
   * The file that a rule names, also by its own path: a redirect to the page's canonical path would reveal that path.
   */
  #findProxied(pathname: string): AssetAnswer | undefined {
    const found = this.#find({ pathname });
    return found?.kind === 'redirect' ? this.#find({ pathname: encodePath(found.to) }) : found;
  }

  #find({ pathname }: Pick<URL, 'pathname'>): AssetAnswer | undefined {
    const path = decodePath(pathname);
    if (path === undefined) return undefined;
    return findAsset(path, this.#settings.htmlHandling, (each) => this.#files.find(each) !== undefined);
  }

  #findFallback(url: URL): AssetAnswer | undefined {
    const path = decodePath(url.pathname);
    if (path === undefined) return undefined;
    return findFallback(
      path,
      this.#settings.notFoundHandling,
      (each) => this.#files.find(each) !== undefined,
    );
  }

  async #serve(
    { path, status }: Extract<AssetAnswer, { kind: 'file' }>,
    url: URL,
    request: Request,
  ): Promise<Response> {
    const file = this.#files.find(path);
    const size = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
    // Deleted since it was found.
    if (file === undefined || size === undefined) return new Response(null, { status: 404 });
    if (size > assetBytesMax) {
      throw new ConfigError(`${file} is too large for an asset: ${size} bytes, at most ${assetBytesMax}`);
    }
    const bytes = await readFile(file);
    this.#files.check(file, bytes);
    const etag = `"${createHash('sha1').update(bytes).digest('hex')}"`;
    const headers = new Headers({ etag, 'cache-control': 'public, max-age=0, must-revalidate' });
    const type = contentTypeOf(extname(path));
    if (type !== undefined) headers.set('content-type', type);
    this.#headers.apply(url, headers);
    if (status === 200 && hasTag(request.headers.get('if-none-match'), etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(request.method === 'HEAD' ? null : bytes, { status, headers });
  }
}

/** The assets of a Worker as code calls them: only by `fetch`. */
export class AssetEntry extends Capability implements LinkEntry {
  readonly #assets: AssetServer;

  constructor(assets: AssetServer) {
    super({ owner: outside, target: () => ({}), reserved: new Set() });
    this.#assets = assets;
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    return holder.reach(() => this.#assets.answer(request));
  }
}

function hasTag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}

/** Undefined for a path that cannot be that of a file. */
function decodePath(pathname: string): string | undefined {
  try {
    const path = decodeURIComponent(pathname).replace(/\/{2,}/g, '/');
    return path.includes('\0') || path.includes('\\') || path.split('/').includes('..') ? undefined : path;
  } catch {
    return undefined;
  }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

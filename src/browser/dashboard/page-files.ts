/**
 * The built page in memory: a document, and assets whose names change with their content. Assets were compressed when
 * the page was built; the document is small and gets a nonce of its own in each response.
 */
import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listOwnFiles, programRoot, readOwnFile } from '#base';
import type { ApiResponse } from '#contract';

/** Written by `tools/build-dashboard.ts` in place of the nonce. */
const noncePlaceholder = '__CSP_NONCE__';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const builtPage = new URL('dist/dashboard/', programRoot);

interface Asset {
  readonly type: string;
  readonly plain: Uint8Array;
  readonly compressed: Uint8Array | undefined;
}

export class PageFiles {
  readonly #document: string;
  readonly #assets: ReadonlyMap<string, Asset>;

  private constructor(document: string, assets: ReadonlyMap<string, Asset>) {
    this.#document = document;
    this.#assets = assets;
  }

  /** Undefined if the page was not built. */
  static load(directory?: string): PageFiles | undefined {
    const folder = directory === undefined ? builtPage : pathToFileURL(`${directory}/`);
    if (!listOwnFiles(folder).includes('index.html')) return undefined;
    const assetFolder = new URL('assets/', folder);
    const names = new Set(listOwnFiles(assetFolder));
    const read = (name: string): Buffer => readOwnFile(new URL(name, assetFolder));
    const assets = new Map<string, Asset>();
    for (const name of names) {
      const type = contentTypes[extname(name)];
      if (type === undefined) continue;
      const compressed = names.has(`${name}.br`) ? read(`${name}.br`) : undefined;
      assets.set(`/assets/${name}`, { type, plain: read(name), compressed });
    }
    return new PageFiles(readOwnFile(new URL('index.html', folder)).toString(), assets);
  }

  /** The document, for every path: the page itself reads the path. */
  writeDocument(): ApiResponse {
    const nonce = randomBytes(16).toString('base64');
    const policy = [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ];
    return {
      status: 200,
      headers: {
        ...safeHeaders,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policy.join('; '),
      },
      body: this.#document.replaceAll(noncePlaceholder, nonce),
    };
  }

  findAsset(path: string, acceptEncoding: string): ApiResponse | undefined {
    const asset = this.#assets.get(path);
    if (asset === undefined) return undefined;
    const isCompressed = asset.compressed !== undefined && /\bbr\b/.test(acceptEncoding);
    return {
      status: 200,
      headers: {
        ...safeHeaders,
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(isCompressed ? { 'content-encoding': 'br' } : {}),
      },
      body: isCompressed ? asset.compressed : asset.plain,
    };
  }
}

export const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

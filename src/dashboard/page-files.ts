/**
 * The built page in memory: a document, and assets whose names change with their content. Assets were compressed when
 * the page was built; the document is small and gets a nonce of its own in each response.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ApiResponse } from '#contract';

/** What `tools/build-dashboard.ts` writes where the nonce belongs. */
const noncePlaceholder = '__CSP_NONCE__';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

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
  static load(directory: string | undefined = findBuiltPage()): PageFiles | undefined {
    if (directory === undefined) return undefined;
    const document = join(directory, 'index.html');
    const assets = new Map<string, Asset>();
    for (const name of readdirSync(join(directory, 'assets'))) {
      const type = contentTypes[extname(name)];
      if (type === undefined) continue;
      const path = join(directory, 'assets', name);
      const compressed = existsSync(`${path}.br`) ? readFileSync(`${path}.br`) : undefined;
      assets.set(`/assets/${name}`, { type, plain: readFileSync(path), compressed });
    }
    return new PageFiles(readFileSync(document, 'utf8'), assets);
  }

  /** The document, whatever the path: the page reads the path itself. */
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

/** In the repository this file is `src/dashboard/page-files.ts`, in the package `dist/src/dashboard/page-files.js`. */
function findBuiltPage(): string | undefined {
  const places = ['../../dist/dashboard', '../../dashboard'];
  return places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((directory) => existsSync(join(directory, 'index.html')));
}

export const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

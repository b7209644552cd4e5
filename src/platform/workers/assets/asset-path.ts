/**
 * Finds the file that answers a path, by the rules of `html_handling` and `not_found_handling`. Pure: it asks `exists`
 * whether a file exists, with URL paths that start with `/`.
 */
import type { HtmlHandling, NotFoundHandling } from '../config/assets-settings.ts';

export type AssetAnswer =
  | { readonly kind: 'file'; readonly path: string; readonly status: 200 | 404 }
  | { readonly kind: 'redirect'; readonly to: string };

type Exists = (path: string) => boolean;

/** The file that a path names; undefined if there is none. */
export function findAsset(path: string, handling: HtmlHandling, exists: Exists): AssetAnswer | undefined {
  const page = handling === 'none' ? undefined : findPage(path, handling, exists);
  if (page !== undefined) {
    const canonical = writePage(page, handling);
    return canonical === path
      ? { kind: 'file', path: page, status: 200 }
      : { kind: 'redirect', to: canonical };
  }
  return exists(path) && !path.endsWith('/') ? { kind: 'file', path, status: 200 } : undefined;
}

/** The answer to a path without a file. */
export function findFallback(
  path: string,
  handling: NotFoundHandling,
  exists: Exists,
): AssetAnswer | undefined {
  if (handling === 'single-page-application') {
    return exists('/index.html') ? { kind: 'file', path: '/index.html', status: 200 } : undefined;
  }
  if (handling === 'none') return undefined;
  for (let folder = path; folder !== '';) {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    const page = `${folder}/404.html`;
    if (exists(page)) return { kind: 'file', path: page, status: 404 };
  }
  return undefined;
}

/** The HTML file for a path, in any of its notations. */
function findPage(path: string, handling: HtmlHandling, exists: Exists): string | undefined {
  // A file of exactly that name that is not HTML comes first.
  if (!path.endsWith('/') && !path.endsWith('.html') && exists(path)) return undefined;
  const stem = path.replace(/(?:\.html|\/)$/, '');
  const folder = stem === '/index' || stem.endsWith('/index') ? stem.slice(0, -'/index'.length) : undefined;
  const isIndexFirst = path.endsWith('/') || handling === 'force-trailing-slash';
  const candidates = [
    ...(path.endsWith('.html') ? [path] : []),
    ...(folder === undefined ? [] : [`${folder}/index.html`, ...(folder === '' ? [] : [`${folder}.html`])]),
    ...(isIndexFirst ? [`${stem}/index.html`, `${stem}.html`] : [`${stem}.html`, `${stem}/index.html`]),
  ];
  return candidates.find((candidate) => candidate !== '.html' && candidate !== '/.html' && exists(candidate));
}

/** The canonical path of a page. */
function writePage(page: string, handling: HtmlHandling): string {
  const isIndex = page.endsWith('/index.html');
  const stem = isIndex ? page.slice(0, -'/index.html'.length) : page.slice(0, -'.html'.length);
  if (stem === '') return '/';
  if (handling === 'auto-trailing-slash') return isIndex ? `${stem}/` : stem;
  return handling === 'force-trailing-slash' ? `${stem}/` : stem;
}

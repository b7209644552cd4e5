/**
 * A list of redirects, in which rules of `http_request_redirect` look up URLs. Of the matching items, the one with the
 * most specific host applies, then the longest path; one with a scheme comes before one without. The time depends on
 * the number of labels and segments in the URL, not on the number of items.
 */
import type { Value, ValueList } from '#expressions';
import type { ConfiguredRedirect } from '../configuration.ts';

export interface FoundRedirect {
  readonly target: string;
  readonly status: number;
  readonly keepsQuery: boolean;
}

interface AskedUrl {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
}

/** More segments than URLs usually have; the rest of a longer path is ignored. */
const segmentsMax = 64;

export class RedirectList implements ValueList {
  /** By the key that requests and items share: an optional scheme, a host and a path. */
  readonly #items: ReadonlyMap<string, ConfiguredRedirect>;

  constructor(redirects: readonly ConfiguredRedirect[]) {
    this.#items = new Map(redirects.map((each) => [each.source, each]));
  }

  has(value: Value): boolean {
    return typeof value === 'string' && this.find(value) !== undefined;
  }

  /** The target for a URL; undefined if no item matches. */
  find(url: string): FoundRedirect | undefined {
    const asked = readUrl(url);
    if (asked === undefined) return undefined;
    for (let host = asked.host; host !== ''; host = parentOf(host)) {
      for (const path of listPaths(asked.path)) {
        const item = this.#items.get(`${asked.scheme}${host}${path}`) ?? this.#items.get(host + path);
        const isMatch =
          item !== undefined &&
          (host === asked.host || item.includesSubdomains) &&
          (path === asked.path || item.matchesSubpaths);
        if (isMatch) return toRedirect(item, asked.path.slice(path.length));
      }
    }
    return undefined;
  }
}

function readUrl(url: string): AskedUrl | undefined {
  const [, scheme, host, path] = /^(https?:\/\/)([^/?#]+)([^?#]*)/i.exec(url) ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  return {
    scheme: scheme.toLowerCase(),
    host: host.toLowerCase().replace(/:\d+$/, ''),
    path: path === '' || path === undefined ? '/' : path,
  };
}

function parentOf(host: string): string {
  const dot = host.indexOf('.');
  return dot === -1 ? '' : host.slice(dot + 1);
}

/** The path, then its parents: `/a/b`, `/a/`, `/a`, `/`. */
function* listPaths(path: string): Generator<string, void> {
  yield path;
  let end = path.length;
  for (let count = 0; count < segmentsMax && end > 0; count++) {
    end = path.lastIndexOf('/', end - 1);
    if (end < 0) return;
    if (end + 1 < path.length) yield path.slice(0, end + 1);
    if (end > 0) yield path.slice(0, end);
  }
}

function toRedirect(item: ConfiguredRedirect, rest: string): FoundRedirect {
  const { target, status, keepsQuery, keepsPathSuffix } = item;
  if (!keepsPathSuffix || rest === '') return { target, status, keepsQuery };
  const [, address = target, query = ''] = /^([^?#]*)(.*)$/.exec(target) ?? [];
  const joined = `${address.replace(/\/$/, '')}/${rest.replace(/^\//, '')}`;
  return { target: joined + query, status, keepsQuery };
}

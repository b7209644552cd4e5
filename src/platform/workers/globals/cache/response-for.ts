/** The answer from a cached response to one request: the whole, a part, or that it has not changed. */
import type { CachedResponse } from './cache-store.ts';

export function responseFor(request: Request, entry: CachedResponse, now: number): Response {
  const { status, statusText, body } = entry;
  const headers = new Headers(entry.headers);
  headers.set('cf-cache-status', 'HIT');
  headers.set('age', String(Math.floor((now - entry.storedAt) / 1000)));
  if (isUnchanged(request.headers, headers)) return new Response(null, { status: 304, headers });
  const range = status === 200 ? request.headers.get('range') : null;
  const part = range === null ? undefined : rangeOf(range, body.length);
  if (part === 'unsatisfiable') {
    headers.set('content-range', `bytes */${body.length}`);
    return new Response(null, { status: 416, headers });
  }
  if (part !== undefined) {
    headers.set('content-range', `bytes ${part.start}-${part.end - 1}/${body.length}`);
    headers.set('content-length', String(part.end - part.start));
    return new Response(body.slice(part.start, part.end), { status: 206, headers });
  }
  const isBodiless = status === 204 || status === 205 || status === 304;
  return new Response(isBodiless ? null : body, { status, statusText, headers });
}

function isUnchanged(asked: Headers, kept: Headers): boolean {
  const tags = asked.get('if-none-match');
  const tag = kept.get('etag');
  if (tags !== null) {
    const bare = (each: string): string => each.trim().replace(/^W\//, '');
    return tag !== null && (tags.trim() === '*' || tags.split(',').some((each) => bare(each) === bare(tag)));
  }
  const since = Date.parse(asked.get('if-modified-since') ?? '');
  const modified = Date.parse(kept.get('last-modified') ?? '');
  return modified <= since;
}

/** The single requested range; undefined if the header requests several, or is invalid. */
function rangeOf(
  header: string,
  length: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length : Math.min(length, Number(last) + 1);
  return start >= length || start >= end ? 'unsatisfiable' : { start, end };
}

/** Whether, and for how long, a response may be cached, by its headers (RFC 9111, as Cloudflare interprets it). */

/** The directives of `Cache-Control` in lower case; those without a value are empty. */
function directivesOf(headers: Headers): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const part of (headers.get('cache-control') ?? '').split(',')) {
    const [name = '', ...value] = part.trim().split('=');
    directives.set(name.toLowerCase(), value.join('=').replaceAll('"', '').toLowerCase());
  }
  return directives;
}

/** How many milliseconds a response stays fresh; 0 if it must not be stored. */
export function freshMsOf({ status, headers }: Response, now: number): number {
  const directives = directivesOf(headers);
  if (status >= 500 || directives.has('no-store') || directives.has('no-cache')) return 0;
  const isPrivate = directives.get('private');
  const stripsCookies = isPrivate === 'set-cookie';
  if (isPrivate !== undefined && !stripsCookies) return 0;
  if (headers.has('set-cookie') && !stripsCookies) return 0;
  for (const name of ['s-maxage', 'max-age']) {
    const seconds = directives.get(name);
    if (seconds !== undefined) return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : 0;
  }
  const expires = Date.parse(headers.get('expires') ?? '');
  return Number.isNaN(expires) ? 0 : Math.max(0, expires - now);
}

/** The stored headers: `private=set-cookie` stores a response without its cookies. */
export function keptHeaders(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('set-cookie');
  return kept;
}

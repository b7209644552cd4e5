/** Whether a response may be kept, and for how long, by its headers (RFC 9111, as Cloudflare reads it). */

/** The directives of `Cache-Control`, in small letters; those without a value are empty. */
function directivesOf(headers: Headers): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const part of (headers.get('cache-control') ?? '').split(',')) {
    const [name = '', ...value] = part.trim().split('=');
    directives.set(name.toLowerCase(), value.join('=').replaceAll('"', '').toLowerCase());
  }
  return directives;
}

/** How many milliseconds a response stays fresh; 0 if it is not to be kept. */
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

/** The headers that are kept: `private=set-cookie` keeps a response without its cookies. */
export function keptHeaders(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('set-cookie');
  return kept;
}

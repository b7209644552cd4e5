/**
 * The target of a redirect: a URL with http or https, or a path of the same site. Characters that a URL cannot contain
 * are escaped, so the field never contains a line end, however an expression computes the target.
 */
import { lowerAscii } from '#text';
import { locationBytesMax } from '../limits.ts';
import { escapeByte } from './rewritten-uri.ts';

const unsafe = /[^!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]/g;
const absolute = /^(https?):\/\/([A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?(?=[/?#]|$)/i;
/** Browsers read two slashes as the start of a host. */
const relative = /^\/(?!\/)/;

/** Both are binary strings. Undefined if browsers could not follow it. */
export function writeLocation(target: string): string | undefined {
  if (target.length > locationBytesMax) return undefined;
  const escaped = target.replaceAll(unsafe, escapeByte);
  if (escaped.length > locationBytesMax) return undefined;
  return absolute.test(escaped) || relative.test(escaped) ? escaped : undefined;
}

/** Adds the query of the request to that of the target. */
export function addQuery(location: string, query: string): string {
  if (query === '') return location;
  const hash = location.indexOf('#');
  const [url, fragment] = hash === -1 ? [location, ''] : [location.slice(0, hash), location.slice(hash)];
  return `${url}${url.includes('?') ? '&' : '?'}${query}${fragment}`;
}

export interface LocationParts {
  /** Undefined for a path of the same site. */
  readonly origin: { readonly scheme: string; readonly host: string; readonly port: string } | undefined;
  /** Path and query. */
  readonly uri: string;
}

/** Splits a location that `writeLocation` has written. */
export function splitLocation(location: string): LocationParts {
  const [whole = '', scheme, host, port] = absolute.exec(location) ?? [];
  const rest = location.slice(whole.length).split('#', 1)[0]!;
  const uri = rest.startsWith('/') ? rest : `/${rest}`;
  if (scheme === undefined) return { origin: undefined, uri };
  const lower = lowerAscii(scheme);
  return {
    origin: { scheme: lower, host: lowerAscii(host!), port: port ?? (lower === 'https' ? '443' : '80') },
    uri,
  };
}

export interface AskedUrl {
  readonly isSecure: boolean;
  /** The `Host` field: it contains the port that the browser used. */
  readonly host: string;
  /** As the client sent it. */
  readonly uri: string;
}

/** Whether a redirect leads to the requested URL, and would therefore repeat. */
export function leadsBack(location: string, { isSecure, host, uri }: AskedUrl): boolean {
  const target = splitLocation(location);
  if (target.uri !== uri) return false;
  if (target.origin === undefined) return true;
  const asked = splitLocation(`${isSecure ? 'https' : 'http'}://${host}`).origin;
  const { scheme, host: name, port } = target.origin;
  return asked?.scheme === scheme && asked.host === name && asked.port === port;
}

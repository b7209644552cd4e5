/** The target of a request, in the form in which it is judged and forwarded. */
import { type Authority, parseAuthority } from './authority.ts';

/** Visible ASCII without `#`: a browser never sends a fragment, and other bytes must be encoded. */
const allowed = /^[!"$-~]+$/;
const absolute = /^(https?):\/\/([^/?]*)(.*)$/i;

/** Whether the target is judged and forwarded unchanged. */
export function isPathAndQuery(raw: string): boolean {
  return raw.charCodeAt(0) === slash && allowed.test(raw);
}

const slash = 0x2f;

/** Undefined if it is malformed, or names another host than the `Host` field. */
export function readTarget(method: string, raw: string, host: Authority): string | undefined {
  if (isPathAndQuery(raw)) return raw;
  if (!allowed.test(raw)) return undefined;
  if (raw === '*') return method === 'OPTIONS' ? raw : undefined;
  const parts = absolute.exec(raw);
  const authority = parts === null ? undefined : parseAuthority(parts[2]!);
  if (authority === undefined || !isSame(authority, host, parts![1]!.toLowerCase() === 'https' ? 443 : 80))
    return undefined;
  const path = parts![3]!;
  if (path === '' && method === 'OPTIONS') return '*';
  return path.startsWith('/') ? path : `/${path}`;
}

function isSame(a: Authority, b: Authority, defaultPort: number): boolean {
  return a.host === b.host && (a.port ?? defaultPort) === (b.port ?? defaultPort);
}

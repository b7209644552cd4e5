/**
 * Sessions of a load balancer: the origin that a visitor stays with. The cookie holds a hash that represents an origin
 * of this load balancer: it reveals no addresses, and an unknown value only means that there is no session.
 */
import { hash } from 'node:crypto';
import { findCookies } from '#text';
import type { ConfiguredAffinity } from '#firewall';
import { type IncomingRequest, readField } from '../wire/exchange.ts';

/** Cloudflare's name for the cookie. */
const cookieName = '__cflb';

export function createToken(balancerId: string, originKey: string): string {
  return hash('sha256', `${balancerId}\n${originKey}`, 'base64url').slice(0, 22);
}

const tokenPattern = /^[A-Za-z0-9_-]{22}$/;

/** Undefined if there is no session. */
export function readToken({ headers }: IncomingRequest): string | undefined {
  for (const [name, value] of headers) {
    if (name.length !== 6 || name.toLowerCase() !== 'cookie') continue;
    const token = findCookies(value, cookieName).find((cookie) => tokenPattern.test(cookie));
    if (token !== undefined) return token;
  }
  return undefined;
}

export function writeCookie(
  token: string,
  { ttlSeconds, sameSite, secure }: ConfiguredAffinity,
  { isSecure }: IncomingRequest,
): string {
  const isSecureCookie = secure === 'Always' || (secure === 'Auto' && isSecure);
  // Browsers reject None without Secure.
  const site = sameSite === 'Auto' ? (isSecureCookie ? 'None' : 'Lax') : sameSite;
  return `${cookieName}=${token}; Path=/; Max-Age=${ttlSeconds}; HttpOnly; SameSite=${site}${isSecureCookie ? '; Secure' : ''}`;
}

/** The key that requests of one visitor share, if affinity decides about the first origin; otherwise undefined. */
export function findSessionKey(affinity: ConfiguredAffinity, request: IncomingRequest): string | undefined {
  if (affinity.by === 'ip_cookie') return request.clientAddress;
  if (affinity.by === 'cookie') return undefined;
  const values = affinity.headers.map((name) => readField(request.headers, name));
  const isMissing = affinity.requiresAllHeaders ? values.includes('') : values.every((value) => value === '');
  return isMissing ? undefined : values.join('\n');
}

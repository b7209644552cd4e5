/**
 * Sessions of a load balancer: which origin a visitor stays with. The cookie holds a hash that stands for an origin of this
 * load balancer: it says nothing about addresses, and another value only means that there is no session.
 */
import { hash } from 'node:crypto';
import type { ConfiguredAffinity } from '#firewall';
import { type IncomingRequest, readField } from '../wire/exchange.ts';

/** Cloudflare's name of it. */
const cookieName = '__cflb';

export function createToken(balancerId: string, originKey: string): string {
  return hash('sha256', `${balancerId}\n${originKey}`, 'base64url').slice(0, 22);
}

const cookiePattern = new RegExp(`(?:^|;)\\s*${cookieName}=([A-Za-z0-9_-]{22})\\s*(?:;|$)`);

/** Undefined if there is none. */
export function readToken({ headers }: IncomingRequest): string | undefined {
  for (const [name, value] of headers) {
    if (name.length !== 6 || name.toLowerCase() !== 'cookie') continue;
    const token = cookiePattern.exec(value)?.[1];
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
  // Browsers refuse None without Secure.
  const site = sameSite === 'Auto' ? (isSecureCookie ? 'None' : 'Lax') : sameSite;
  return `${cookieName}=${token}; Path=/; Max-Age=${ttlSeconds}; HttpOnly; SameSite=${site}${isSecureCookie ? '; Secure' : ''}`;
}

/** What requests of one visitor share, if that decides about the first origin; undefined if nothing does. */
export function findSessionKey(affinity: ConfiguredAffinity, request: IncomingRequest): string | undefined {
  if (affinity.by === 'ip_cookie') return request.clientAddress;
  if (affinity.by === 'cookie') return undefined;
  const values = affinity.headers.map((name) => readField(request.headers, name));
  const isMissing = affinity.requiresAllHeaders ? values.includes('') : values.every((value) => value === '');
  return isMissing ? undefined : values.join('\n');
}

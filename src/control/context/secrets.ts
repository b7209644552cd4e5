/** Secrets are random and long, so one round of SHA-256 keeps them; what is kept cannot be turned back. */
import { hash, randomBytes } from 'node:crypto';

/** As long as the original's: 37 hexadecimal digits. */
export function newKey(): string {
  return randomBytes(19).toString('hex').slice(0, 37);
}

/** 40 characters of the URL-safe alphabet. */
export function newToken(): string {
  return randomBytes(30).toString('base64url');
}

export function secretHash(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** The id of something that is not kept because it follows from others. */
export function derivedId(...parts: readonly string[]): string {
  return hash('sha256', parts.join('/'), 'hex').slice(0, 32);
}

/**
 * Secrets are long and random, so one round of SHA-256 is enough to store them; the secret cannot be recovered from the
 * hash.
 */
import { hash, randomBytes } from 'node:crypto';

/** Returns a key as long as Cloudflare's: 37 hexadecimal digits. */
export function createKey(): string {
  return randomBytes(19).toString('hex').slice(0, 37);
}

/** Returns 40 characters of the URL-safe alphabet. */
export function createToken(): string {
  return randomBytes(30).toString('base64url');
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** The id of something that is not stored because it is derived from other values. */
export function deriveId(...parts: readonly string[]): string {
  return hash('sha256', parts.join('/'), 'hex').slice(0, 32);
}

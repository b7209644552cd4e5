/** Sign-in links for single use: each represents credentials until it is used or expires. They are only in memory. */
import { hash, randomBytes } from 'node:crypto';
import { RecentMap } from '#base';
import { signInLinkLifetimeMs, signInLinksMax } from './limits.ts';

export type Credentials = Readonly<Record<string, string>>;

interface Link {
  readonly credentials: Credentials;
  readonly expiresAtMs: number;
}

export class SignInLinks {
  readonly #links = new RecentMap<string, Link>({ sizeMax: signInLinksMax });

  /** Returns the code for the link. */
  create(credentials: Credentials, nowMs: number): string {
    const code = randomBytes(24).toString('base64url');
    this.#links.set(toKey(code), { credentials, expiresAtMs: nowMs + signInLinkLifetimeMs });
    return code;
  }

  /** The credentials, at the first use. */
  take(code: string, nowMs: number): Credentials | undefined {
    const key = toKey(code);
    const link = this.#links.peek(key);
    this.#links.delete(key);
    return link !== undefined && nowMs < link.expiresAtMs ? link.credentials : undefined;
  }
}

function toKey(code: string): string {
  return hash('sha256', code, 'hex');
}

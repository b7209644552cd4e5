/**
 * Sessions of the dashboard, found by the cookie of a request. All of them are in memory, because every request of a
 * page needs one; a session is valid once it is on disk.
 *
 * Browsers attach a cookie even if the page did not mean to send it. So a request that is authenticated only by a
 * cookie must also have the session's CSRF token in a header, which no other site can read or set.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { findCookies } from '#text';
import { type ApiRequest, sessionCookie } from '../http.ts';
import { sessionLifetimeMs, sessionsMax } from '../limits.ts';

/** The stored form of a session. `Subject` is the credential that it represents. */
export interface StoredSession<Subject> {
  /** SHA-256 of the secret in the cookie, in hexadecimal. */
  readonly hash: string;
  readonly subject: Subject;
  readonly expiresAtMs: number;
}

/** Where sessions are stored; without a store, they are in memory only. */
export interface SessionStore<Subject> {
  add(session: StoredSession<Subject>, nowMs: number): Promise<void>;
  remove(hash: string): Promise<void>;
  list(): Promise<StoredSession<Subject>[]>;
}

export interface OpenedSession {
  /** The secret in the cookie. It is not stored. */
  readonly secret: string;
  readonly csrfToken: string;
  readonly expiresAtMs: number;
}

export interface FoundSession<Subject> extends StoredSession<Subject> {
  readonly csrfToken: string;
}

export class Sessions<Subject> {
  /** The name of the cookie. */
  readonly cookie: string;
  readonly #store: SessionStore<Subject> | undefined;
  readonly #byHash = new Map<string, StoredSession<Subject>>();

  constructor({
    store,
    cookie = sessionCookie,
  }: { readonly store?: SessionStore<Subject>; readonly cookie?: string } = {}) {
    this.#store = store;
    this.cookie = cookie;
  }

  /** Starts with the sessions in the store. */
  static async load<Subject>(store: SessionStore<Subject>): Promise<Sessions<Subject>> {
    const sessions = new Sessions<Subject>({ store });
    await sessions.reload();
    return sessions;
  }

  /** Reloads the store, to which other processes may have written. */
  async reload(): Promise<void> {
    const stored = (await this.#store?.list()) ?? [];
    this.#byHash.clear();
    for (const session of stored) this.#byHash.set(session.hash, session);
  }

  async open(subject: Subject, nowMs: number): Promise<OpenedSession> {
    const secret = randomBytes(32).toString('base64url');
    const session = { hash: hashSecret(secret), subject, expiresAtMs: nowMs + sessionLifetimeMs };
    await this.#makeRoom(nowMs);
    await this.#store?.add(session, nowMs);
    this.#byHash.set(session.hash, session);
    return { secret, csrfToken: deriveCsrfToken(secret), expiresAtMs: session.expiresAtMs };
  }

  /** The session of a request's cookie. Does not check the CSRF token. */
  find(headers: ApiRequest['headers'], nowMs: number): FoundSession<Subject> | undefined {
    const secret = this.#readCookie(headers);
    const session = secret === undefined ? undefined : this.#byHash.get(hashSecret(secret));
    if (secret === undefined || session === undefined || session.expiresAtMs <= nowMs) return undefined;
    return { ...session, csrfToken: deriveCsrfToken(secret) };
  }

  /** Whether a request has a session cookie, valid or not. */
  hasCookie(headers: ApiRequest['headers']): boolean {
    return this.#listCookies(headers).length > 0;
  }

  #readCookie(headers: ApiRequest['headers']): string | undefined {
    const found = this.#listCookies(headers);
    // With two cookies, one was set by another site. Neither is trusted.
    return found.length === 1 ? found[0] : undefined;
  }

  #listCookies({ cookie }: ApiRequest['headers']): readonly string[] {
    const text = typeof cookie === 'string' ? cookie : (cookie?.join('; ') ?? '');
    return findCookies(text, this.cookie);
  }

  async close(sessionHash: string): Promise<void> {
    this.#byHash.delete(sessionHash);
    await this.#store?.remove(sessionHash);
  }

  /** The sessions that expire first are removed. */
  async #makeRoom(nowMs: number): Promise<void> {
    for (const { hash: old, expiresAtMs } of this.#byHash.values()) {
      if (expiresAtMs > nowMs && this.#byHash.size < sessionsMax) break;
      await this.close(old);
    }
  }
}

export function isCsrfToken(given: string | readonly string[] | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** It needs no storage: it is derived from the secret, and the secret cannot be derived from it. */
function deriveCsrfToken(secret: string): string {
  return hash('sha256', `csrf ${secret}`, 'base64url');
}

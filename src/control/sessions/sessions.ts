/**
 * Sessions of the dashboard, found by the cookie of a request. All of them are in memory, because every request of a page
 * asks; a new one counts when it is on disk.
 *
 * A cookie comes with a request whether or not the page meant to send it. So a request with nothing but a cookie is only
 * accepted with the session's CSRF token in a header, which no other site can read or set.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type ApiRequest, sessionCookie } from '#api';
import type { DurableObjectStub } from '#objects';
import { hashSecret } from '../context/secrets.ts';
import { sessionLifetimeMs, sessionsMax } from '../context/limits.ts';
import type { SessionObject, SessionSubject, StoredSession } from './session-object.ts';

export interface OpenedSession {
  /** For the cookie. It is not stored. */
  readonly secret: string;
  readonly csrfToken: string;
  readonly expiresAtMs: number;
}

export interface FoundSession extends StoredSession {
  readonly csrfToken: string;
}

/** A stub stays broken once it has seen its object break, so each call has one of its own. */
type FindObject = () => DurableObjectStub<SessionObject>;

export class Sessions {
  readonly #findObject: FindObject;
  readonly #byHash = new Map<string, StoredSession>();

  private constructor(findObject: FindObject) {
    this.#findObject = findObject;
  }

  static async load(findObject: FindObject): Promise<Sessions> {
    const sessions = new Sessions(findObject);
    for (const session of await findObject().list()) sessions.#byHash.set(session.hash, session);
    return sessions;
  }

  async open(subject: SessionSubject, nowMs: number): Promise<OpenedSession> {
    const secret = randomBytes(32).toString('base64url');
    const session = { hash: hashSecret(secret), subject, expiresAtMs: nowMs + sessionLifetimeMs };
    await this.#makeRoom(nowMs);
    await this.#findObject().add(session, nowMs);
    this.#byHash.set(session.hash, session);
    return { secret, csrfToken: deriveCsrfToken(secret), expiresAtMs: session.expiresAtMs };
  }

  /** The session of a request's cookie, without looking at the CSRF token. */
  find(headers: ApiRequest['headers'], nowMs: number): FoundSession | undefined {
    const secret = readCookie(headers);
    const session = secret === undefined ? undefined : this.#byHash.get(hashSecret(secret));
    if (secret === undefined || session === undefined || session.expiresAtMs <= nowMs) return undefined;
    return { ...session, csrfToken: deriveCsrfToken(secret) };
  }

  async close(sessionHash: string): Promise<void> {
    this.#byHash.delete(sessionHash);
    await this.#findObject().remove(sessionHash);
  }

  /** The sessions that end first give way. */
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

/** Nothing is stored for it: whoever has the secret can derive it, and it does not lead back to the secret. */
function deriveCsrfToken(secret: string): string {
  return hash('sha256', `csrf ${secret}`, 'base64url');
}

export function hasSessionCookie(headers: ApiRequest['headers']): boolean {
  return listCookies(headers).length > 0;
}

function listCookies({ cookie }: ApiRequest['headers']): string[] {
  const text = typeof cookie === 'string' ? cookie : (cookie?.join('; ') ?? '');
  return text.split(/; ?/).filter((pair) => pair.startsWith(`${sessionCookie}=`));
}

function readCookie(headers: ApiRequest['headers']): string | undefined {
  const found = listCookies(headers);
  // Two of them: somebody else has set one. Neither is believed.
  return found.length === 1 ? found[0]!.slice(sessionCookie.length + 1) : undefined;
}

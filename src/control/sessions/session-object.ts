/**
 * Who is signed in at the dashboard: one object for all sessions. Of a session's secret only the hash is stored. A session
 * stands for the credential that opened it and allows what that one allows now, so it ends with it.
 */
import type { StoredSession } from '#contract';
import type { DurableObjectState } from '#objects';
import type { ControlEnvironment } from '../context/environment.ts';
import { LocatedObject } from '../objects/located-object.ts';

/** The credential that a session stands for: a token, or the key that a user had when the session was opened. */
export type SessionSubject =
  | { readonly kind: 'token'; readonly tokenId: string }
  | { readonly kind: 'key'; readonly userId: string; readonly keyHash: string };

export const sessionObjectName = 'sessions';

export class SessionObject extends LocatedObject {
  constructor(state: DurableObjectState, env: ControlEnvironment) {
    super(state, env);
    state.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS sessions (hash TEXT PRIMARY KEY, subject TEXT NOT NULL, expires_at INTEGER NOT NULL)',
    );
  }

  add({ hash, subject, expiresAtMs }: StoredSession<SessionSubject>, nowMs: number): void {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM sessions WHERE expires_at <= ?', nowMs);
    sql.exec('INSERT INTO sessions VALUES (?, ?, ?)', hash, JSON.stringify(subject), expiresAtMs);
  }

  remove(hash: string): void {
    this.ctx.storage.sql.exec('DELETE FROM sessions WHERE hash = ?', hash);
  }

  list(): StoredSession<SessionSubject>[] {
    const rows = this.ctx.storage.sql.exec<{ hash: string; subject: string; expires_at: number }>(
      'SELECT hash, subject, expires_at FROM sessions',
    );
    return rows.toArray().map(({ hash, subject, expires_at }) => ({
      hash,
      subject: JSON.parse(subject),
      expiresAtMs: expires_at,
    }));
  }
}

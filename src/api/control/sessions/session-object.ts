/**
 * Who is signed in at the dashboard: one object for all sessions. Of a session's secret only the hash is stored. A session
 * stands for the credential that opened it and allows what that one allows now, so it ends with it.
 */
import type { StoredSession } from '#contract';
import type { DurableObjectState } from '#objects';
import type { ControlEnvironment } from '../context/environment.ts';
import { json, text, whole } from '../context/tables/columns.ts';
import { Table } from '../context/tables/table.ts';
import { LocatedObject } from '../objects/located-object.ts';

/** The credential that a session stands for: a token, or the key that a user had when the session was opened. */
export type SessionSubject =
  | { readonly kind: 'token'; readonly tokenId: string }
  | { readonly kind: 'key'; readonly userId: string; readonly keyHash: string };

export const sessionObjectName = 'sessions';

const table = new Table('sessions', {
  key: ['hash'],
  columns: { hash: text(), subject: json<SessionSubject>(), expiresAt: whole() },
});

export class SessionObject extends LocatedObject {
  constructor(state: DurableObjectState, env: ControlEnvironment) {
    super(state, env);
    table.create(state.storage.sql);
  }

  add({ hash, subject, expiresAtMs }: StoredSession<SessionSubject>, nowMs: number): void {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM sessions WHERE expires_at <= ?', nowMs);
    table.insert(sql, { hash, subject, expiresAt: expiresAtMs });
  }

  remove(hash: string): void {
    table.remove(this.ctx.storage.sql, hash);
  }

  list(): StoredSession<SessionSubject>[] {
    const rows = table.select(this.ctx.storage.sql);
    return rows.map(({ hash, subject, expiresAt }) => ({ hash, subject, expiresAtMs: expiresAt }));
  }
}

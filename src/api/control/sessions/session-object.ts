/**
 * The sessions of the dashboard: one object for all of them. Only the hash of a session's secret is stored. A session
 * represents the credential that opened it and has that credential's current permissions, so it ends with it.
 */
import type { StoredSession } from '#contract';
import type { DurableObjectState } from '#objects';
import type { ControlEnvironment } from '../context/environment.ts';
import { json, text, whole } from '../context/tables/columns.ts';
import { Table } from '../context/tables/table.ts';
import { LocatedObject } from '../objects/located-object.ts';

/** The credential that a session represents: a token, or the user's key at the time when the session was opened. */
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

/**
 * How long each audit log was, and the hash of its last entry, kept in the account: a log that has lost entries, or has
 * others in their place, does not fit its anchor any more. An anchor moves to a later entry of the same log and never back.
 */
import type { Sql } from '../context/tables/sql.ts';
import type { Link } from './audit-trail.ts';

export const auditAnchorTables = [
  `CREATE TABLE IF NOT EXISTS audit_anchors (
    log TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL
  )`,
];

/** The name of the account's own log. */
export const accountLog = 'account';

/** The anchor of the log of an object, which is named like the object. */
export interface Anchor extends Link {
  readonly log: string;
}

export class AuditAnchorStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  find(logs: readonly string[]): Anchor[] {
    const rows = this.#sql.exec<{ log: string; sequence: number; hash: string }>(
      'SELECT log, sequence, hash FROM audit_anchors WHERE log IN (SELECT value FROM json_each(?))',
      JSON.stringify(logs),
    );
    return [...rows];
  }

  put({ log, sequence, hash }: Anchor): void {
    this.#sql.exec(
      `INSERT INTO audit_anchors VALUES (?, ?, ?) ON CONFLICT (log)
        DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash WHERE excluded.sequence > sequence`,
      log,
      sequence,
      hash,
    );
  }
}

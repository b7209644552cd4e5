/**
 * Every change of an object, in its own database and in the transaction that makes it: who, when, what, before and after.
 * Each entry's hash covers the entry and the hash before it, so that an entry cannot be changed, taken out or put in
 * without every later hash being wrong.
 */
import { createHash } from 'node:crypto';
import type { DurableObjectStorage } from '#objects';
import type { Actor, Change } from './handler.ts';

type Sql = DurableObjectStorage['sql'];

export const auditTables = [
  `CREATE TABLE IF NOT EXISTS audit (
    sequence INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    operation TEXT NOT NULL,
    actor TEXT NOT NULL,
    resource TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    before TEXT,
    after TEXT,
    hash TEXT NOT NULL
  )`,
];

export interface AuditEntry {
  readonly sequence: number;
  readonly atMs: number;
  readonly operation: string;
  readonly actor: Actor;
  readonly resource: string;
  readonly resourceId: string;
  /** JSON, or null where there was or is nothing. */
  readonly before: string | null;
  readonly after: string | null;
  readonly hash: string;
}

/** The hash before the first entry. */
const origin = '0'.repeat(64);

export class AuditTrail {
  readonly #sql: Sql;
  #last: { readonly sequence: number; readonly hash: string } | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  append(
    change: Change,
    by: { readonly actor: Actor; readonly operation: string; readonly atMs: number },
  ): void {
    const last = this.#newest();
    const fields = {
      sequence: last.sequence + 1,
      atMs: by.atMs,
      operation: by.operation,
      actor: by.actor,
      resource: change.resource,
      resourceId: change.id,
      before: change.before === undefined ? null : JSON.stringify(change.before),
      after: change.after === undefined ? null : JSON.stringify(change.after),
    };
    const hash = hashOf(last.hash, fields);
    this.#sql.exec(
      'INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      fields.sequence,
      fields.atMs,
      fields.operation,
      JSON.stringify(fields.actor),
      fields.resource,
      fields.resourceId,
      fields.before,
      fields.after,
      hash,
    );
    this.#last = { sequence: fields.sequence, hash };
  }

  /** After a transaction was undone: what is remembered may not be in the table. */
  forget(): void {
    this.#last = undefined;
  }

  #newest(): { readonly sequence: number; readonly hash: string } {
    if (this.#last !== undefined) return this.#last;
    const [row] = this.#sql.exec<{ sequence: number; hash: string }>(
      'SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1',
    );
    return (this.#last = row ?? { sequence: 0, hash: origin });
  }
}

function hashOf(before: string, fields: Omit<AuditEntry, 'hash'>): string {
  return createHash('sha256').update(before).update(JSON.stringify(fields)).digest('hex');
}

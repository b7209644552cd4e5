/**
 * Bulk operations on items. An operation is accepted once all its items are checked and staged, and the object's alarm
 * applies it later, those of one list in the order of acceptance. It is applied by a handful of statements in one
 * transaction, so that nobody ever sees, or evaluates, half of a list.
 */
import { bulkOperationsKeptMax, listItemsMax } from '../../context/limits.ts';
import type { ListItem } from './list-item.ts';
import type { Sql } from '../../context/tables/sql.ts';

export const bulkTables = [
  `CREATE TABLE IF NOT EXISTS bulk_operations (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    list INTEGER NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    error TEXT,
    completed_ms INTEGER
  )`,
  `CREATE INDEX IF NOT EXISTS bulk_operations_open ON bulk_operations (list, sequence) WHERE completed_ms IS NULL`,
  // `key` is the key of an item to add, or the id of one to remove.
  `CREATE TABLE IF NOT EXISTS bulk_items (
    operation INTEGER NOT NULL,
    key TEXT NOT NULL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    value TEXT NOT NULL,
    comment TEXT NOT NULL,
    PRIMARY KEY (operation, key)
  ) WITHOUT ROWID`,
];

export type BulkKind = 'append' | 'replace' | 'remove';

export interface BulkOperation {
  readonly sequence: number;
  readonly id: string;
  /** The list's sequence. */
  readonly list: number;
  readonly kind: BulkKind;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly error: string | null;
  readonly completedAtMs: number | null;
}

interface BulkRow extends Record<string, string | number | null> {
  sequence: number;
  id: string;
  list: number;
  kind: BulkKind;
  status: BulkOperation['status'];
  error: string | null;
  completed_ms: number | null;
}

export class BulkStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): BulkOperation | undefined {
    const [row] = this.#sql.exec<BulkRow>('SELECT * FROM bulk_operations WHERE id = ?', id);
    return row && toOperation(row);
  }

  /** The operation that is applied next to the list. */
  findNext(list: number): BulkOperation | undefined {
    const [row] = this.#sql.exec<BulkRow>(
      'SELECT * FROM bulk_operations WHERE list = ? AND completed_ms IS NULL ORDER BY sequence LIMIT 1',
      list,
    );
    return row && toOperation(row);
  }

  countOpen(): number {
    return this.#sql
      .exec<{ count: number }>('SELECT count(*) AS count FROM bulk_operations WHERE completed_ms IS NULL')
      .one().count;
  }

  /** Returns the operation that `stage` needs. Deletes the oldest completed operations. */
  add({ id, list, kind }: Pick<BulkOperation, 'id' | 'list' | 'kind'>): number {
    const { sequence } = this.#sql
      .exec<{ sequence: number }>(
        `INSERT INTO bulk_operations (id, list, kind, status) VALUES (?, ?, ?, 'pending') RETURNING sequence`,
        id,
        list,
        kind,
      )
      .one();
    this.#sql.exec(
      'DELETE FROM bulk_operations WHERE sequence <= ? AND completed_ms IS NOT NULL',
      sequence - bulkOperationsKeptMax,
    );
    return sequence;
  }

  /** Of two items with the same key, the later one wins. */
  stage(operation: number, id: string, { key, text, value }: ListItem, comment: string): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO bulk_items VALUES (?, ?, ?, ?, ?, ?)',
      operation,
      key,
      id,
      text,
      JSON.stringify(value),
      comment,
    );
  }

  stageRemoval(operation: number, id: string): void {
    this.#sql.exec(`INSERT OR REPLACE INTO bulk_items VALUES (?, ?, '', '', '', '')`, operation, id);
  }

  start({ sequence }: BulkOperation): void {
    this.#sql.exec(`UPDATE bulk_operations SET status = 'running' WHERE sequence = ?`, sequence);
  }

  finish({ sequence }: BulkOperation, nowMs: number, error: string | null): void {
    this.#sql.exec('DELETE FROM bulk_items WHERE operation = ?', sequence);
    this.#sql.exec(
      'UPDATE bulk_operations SET status = ?, error = ?, completed_ms = ? WHERE sequence = ?',
      error === null ? 'completed' : 'failed',
      error,
      nowMs,
      sequence,
    );
  }

  /** By how many items the account would exceed its limit. */
  countExcess({ sequence, list, kind }: BulkOperation): number {
    if (kind === 'remove') return 0;
    const { count } = this.#sql
      .exec<{ count: number }>(
        `SELECT (SELECT count(*) FROM bulk_items WHERE operation = ?1)
          + (SELECT count(*) FROM list_items WHERE list <> ?2)
          + (SELECT count(*) FROM list_items WHERE ?3 = 'append' AND list = ?2
              AND key NOT IN (SELECT key FROM bulk_items WHERE operation = ?1)) AS count`,
        sequence,
        list,
        kind,
      )
      .one();
    return Math.max(0, count - listItemsMax);
  }

  /** An item that exists keeps its id and gets the new comment. */
  apply({ sequence, list, kind }: BulkOperation, nowMs: number): void {
    const staged = 'SELECT key FROM bulk_items WHERE operation = ?2';
    if (kind === 'remove') {
      this.#sql.exec(`DELETE FROM list_items WHERE list = ?1 AND id IN (${staged})`, list, sequence);
      return;
    }
    if (kind === 'replace') {
      this.#sql.exec(`DELETE FROM list_items WHERE list = ?1 AND key NOT IN (${staged})`, list, sequence);
    }
    this.#sql.exec(
      `INSERT INTO list_items SELECT ?1, key, id, text, value, comment, ?3, ?3 FROM bulk_items WHERE operation = ?2
        ON CONFLICT (list, key) DO UPDATE SET
          text = excluded.text, value = excluded.value, comment = excluded.comment, modified_ms = excluded.modified_ms`,
      list,
      sequence,
      nowMs,
    );
  }
}

function toOperation(row: BulkRow): BulkOperation {
  const { sequence, id, list, kind, status, error } = row;
  return { sequence, id, list, kind, status, error, completedAtMs: row.completed_ms };
}

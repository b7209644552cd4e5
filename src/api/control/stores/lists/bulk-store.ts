/**
 * Bulk operations on items. An operation is accepted once all its items are checked and staged, and the object's alarm
 * applies it later, those of one list in the order of acceptance. It is applied by a few statements in one transaction,
 * so that a partial list is never visible or evaluated.
 */
import { bulkOperationsKeptMax, listItemsMax } from '../../context/limits.ts';
import type { ListItem } from './list-item.ts';
import { nullable, text, whole } from '../../context/tables/columns.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { type RowOf, Table } from '../../context/tables/table.ts';

export type BulkKind = 'append' | 'replace' | 'remove';

const operationTable = new Table('bulk_operations', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    /** The sequence of the list. */
    list: whole(),
    kind: text<BulkKind>(),
    status: text<'pending' | 'running' | 'completed' | 'failed'>(),
    error: nullable(text()),
    completedAtMs: nullable(whole()),
  },
  attached: [
    `CREATE INDEX IF NOT EXISTS bulk_operations_open ON bulk_operations (list, sequence) WHERE completed_ms IS NULL`,
  ],
});

const stagedTable = new Table('bulk_items', {
  key: ['operation', 'key'],
  isWithoutRowid: true,
  columns: {
    /** The sequence of the operation. */
    operation: whole(),
    /** The key of an item to add; or the id of one to remove, and then all other columns are empty. */
    key: text(),
    id: text(),
    text: text(),
    /** JSON. */
    value: text(),
    comment: text(),
  },
});

export const bulkTables = [operationTable, stagedTable];

export type BulkOperation = RowOf<typeof operationTable> & { readonly sequence: number };

const numbers = { sequence: 'sequence' };

export class BulkStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): BulkOperation | undefined {
    return operationTable.selectWith(this.#sql, numbers, 'WHERE id = ?', id)[0];
  }

  /** The next operation to apply to the list. */
  findNext(list: number): BulkOperation | undefined {
    const rest = 'WHERE list = ? AND completed_ms IS NULL ORDER BY sequence LIMIT 1';
    return operationTable.selectWith(this.#sql, numbers, rest, list)[0];
  }

  countOpen(): number {
    return operationTable.count(this.#sql, 'WHERE completed_ms IS NULL');
  }

  /** Returns the operation that `stage` needs. Deletes the oldest completed operations. */
  add({ id, list, kind }: Pick<BulkOperation, 'id' | 'list' | 'kind'>): number {
    operationTable.insert(this.#sql, { id, list, kind, status: 'pending', error: null, completedAtMs: null });
    const { sequence } = this.get(id)!;
    this.#sql.exec(
      'DELETE FROM bulk_operations WHERE sequence <= ? AND completed_ms IS NOT NULL',
      sequence - bulkOperationsKeptMax,
    );
    return sequence;
  }

  /** Of two items with the same key, the later one wins. */
  stage(operation: number, id: string, { key, text, value }: ListItem, comment: string): void {
    stagedTable.put(this.#sql, { operation, key, id, text, value: JSON.stringify(value), comment });
  }

  stageRemoval(operation: number, id: string): void {
    stagedTable.put(this.#sql, { operation, key: id, id: '', text: '', value: '', comment: '' });
  }

  start(operation: BulkOperation): void {
    operationTable.update(this.#sql, { ...operation, status: 'running' });
  }

  finish(operation: BulkOperation, nowMs: number, error: string | null): void {
    this.#sql.exec('DELETE FROM bulk_items WHERE operation = ?', operation.sequence);
    const status = error === null ? 'completed' : 'failed';
    operationTable.update(this.#sql, { ...operation, status, error, completedAtMs: nowMs });
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

  /** An existing item keeps its id and gets the new comment. */
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

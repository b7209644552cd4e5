import { SqlCursor, type SqlRow } from '#sqlite';
import type { SqlStore } from './sql-store.ts';

/** `storage.sql`: SQL on the object's private database. */
export class SqlStorage {
  readonly #store: () => SqlStore;

  /** @internal */
  constructor(store: () => SqlStore) {
    this.#store = store;
  }

  /** Runs the statements and answers with a cursor over the rows of the last one. */
  exec<Row extends SqlRow = SqlRow>(query: string, ...bindings: unknown[]): SqlCursor<Row> {
    return this.#store().exec(query, bindings) as SqlCursor<Row>;
  }

  get databaseSize(): number {
    return this.#store().databaseSize;
  }

  get Cursor(): typeof SqlCursor {
    return SqlCursor;
  }
}

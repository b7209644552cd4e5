import { markAsUncloneable } from 'node:worker_threads';
import { wrongType } from '#base';
import { SqlCursor, type SqlRow } from '#sqlite';
import { tagAs } from './arguments.ts';
import type { SqlStore } from '../stores/sql-store.ts';

/** For code that looks for the class; there are no prepared statements to create with it. */
class SqlStatement {
  constructor() {
    throw new TypeError('Illegal constructor');
  }
}

/** `storage.sql`: SQL on the object's private database. */
export class SqlStorage {
  readonly #store: () => SqlStore;

  /** @internal */
  constructor(store: () => SqlStore) {
    this.#store = store;
    markAsUncloneable(this);
  }

  /** Runs the statements and returns a cursor over the rows of the last one. */
  exec<Row extends SqlRow = SqlRow>(query: string, ...bindings: unknown[]): SqlCursor<Row> {
    if (arguments.length === 0) throw wrongType({ method: 'exec', face: 'SqlStorage' }, 1, 'String');
    return this.#store().exec(query, bindings) as SqlCursor<Row>;
  }

  get databaseSize(): number {
    return this.#store().databaseSize;
  }

  get Cursor(): typeof SqlCursor {
    return SqlCursor;
  }

  get Statement(): typeof SqlStatement {
    return SqlStatement;
  }
}
tagAs(SqlStorage.prototype, 'SqlStorage');

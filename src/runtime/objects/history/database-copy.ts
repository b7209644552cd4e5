import { splitStatements, type SqlCursor, SqlDatabase } from '#sqlite';
import { decodeValue } from '#values';
import { fromBinaryKey } from '../stores/binary-keys.ts';
import { HiddenTables } from '../stores/hidden-tables.ts';

/** A file with the database of an object, separate from the object: its SQL and its stored values. */
export class DatabaseCopy implements Disposable {
  readonly #database: SqlDatabase;
  readonly #hidden: HiddenTables;

  /** In mode `write`, changes are kept once `commit` is called. */
  constructor(path: string, { mode }: { readonly mode: 'read' | 'write' }) {
    this.#database = new SqlDatabase(path, { beforeWrite: mode === 'read' ? refuse : () => this.#begin() });
    this.#hidden = new HiddenTables(this.#database);
  }

  exec(query: string, ...bindings: unknown[]): SqlCursor {
    return this.#database.exec(query, ...bindings);
  }

  /** Runs SQL of any length: the length limit applies to each statement. Returns the cursor of the last one. */
  execScript(script: string): SqlCursor {
    const statements = splitStatements(script);
    for (const { sql } of statements.slice(0, -1)) this.exec(sql).toArray();
    return this.exec(statements.at(-1)?.sql ?? '');
  }

  get(key: string): unknown {
    const bytes = this.#hidden.get(key);
    return bytes === undefined ? undefined : decodeValue(bytes);
  }

  *entries(): Generator<[key: string, value: unknown]> {
    const range = { start: '', end: undefined, reverse: false, limit: undefined };
    for (const [key, value] of HiddenTables.iterate(() => this.#hidden, range)) {
      yield [fromBinaryKey(key), decodeValue(value)];
    }
  }

  commit(): void {
    if (this.#database.isTransaction) this.#database.execTrusted('COMMIT');
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #begin(): void {
    if (!this.#database.isTransaction) this.#database.execTrusted('BEGIN');
  }
}

function refuse(): never {
  throw new Error('cannot write to the past: this is a copy of an object as it was');
}

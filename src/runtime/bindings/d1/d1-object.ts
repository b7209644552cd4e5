/**
 * A D1 database: an SQL object. The statements of one call are one transaction. An operator reads and restores its
 * history like that of any object, which D1 calls Time Travel.
 */
import { DurableObject } from '#objects';
import { splitStatements } from '#sqlite';

export type D1Value = string | number | null | readonly number[];

export interface D1Query {
  readonly sql: string;
  readonly params: readonly D1Value[];
}

interface D1Meta {
  readonly served_by: string;
  readonly duration: number;
  readonly changes: number;
  readonly last_row_id: number;
  readonly changed_db: boolean;
  readonly size_after: number;
  readonly rows_read: number;
  readonly rows_written: number;
}

export interface D1Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly D1Value[])[];
  readonly meta: D1Meta;
}

export type D1Outcome =
  | { readonly results: readonly D1Rows[]; readonly bookmark: string | undefined }
  /** `at` is the index of the failed query; the whole call is rolled back. */
  | { readonly error: string; readonly at: number };

const servedBy = 'gatehouse';

export class D1DatabaseObject extends DurableObject {
  /** Ensures that the database exists on disk, so that an operator can reach one that was never used. */
  create(): void {
    const { kv } = this.ctx.storage;
    if (kv.get('created') === undefined) kv.put('created', Date.now());
  }

  async query(queries: readonly D1Query[], wantsBookmark: boolean): Promise<D1Outcome> {
    let at = -1;
    let results: D1Rows[];
    try {
      results = this.ctx.storage.transactionSync(() =>
        queries.map((query) => {
          at++;
          return this.#run(query);
        }),
      );
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error), at: Math.max(at, 0) };
    }
    const bookmark = wantsBookmark ? await this.ctx.storage.getCurrentBookmark() : undefined;
    return { results, bookmark };
  }

  /** Runs all statements of a text in one transaction. Parameters are allowed only for a single statement. */
  async runText(sql: string, params: readonly D1Value[]): Promise<D1Outcome> {
    const statements = splitStatements(sql);
    if (statements.length !== 1 && params.length > 0)
      return { error: 'parameters need a single statement', at: 0 };
    return await this.query(
      statements.map(({ sql: each }) => ({ sql: each, params })),
      false,
    );
  }

  describe(): { readonly tables: number; readonly bytes: number } {
    const { sql } = this.ctx.storage;
    const { tables } = sql
      .exec<{ tables: number }>(
        "SELECT count(*) AS tables FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
      )
      .one();
    return { tables, bytes: sql.databaseSize };
  }

  /** Deletes everything. */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #run({ sql, params }: D1Query): D1Rows {
    const { sql: database } = this.ctx.storage;
    const began = performance.now();
    const sizeBefore = database.databaseSize;
    const before = this.#countChanges();
    const cursor = database.exec(sql, ...params.map(toParameter));
    const columns = cursor.columnNames;
    const rows = Array.from(cursor.raw(), (row) => row.map(fromValue));
    const after = this.#countChanges();
    const size = database.databaseSize;
    const changes = after.total - before.total;
    return {
      columns,
      rows,
      meta: {
        served_by: servedBy,
        duration: performance.now() - began,
        changes,
        last_row_id: after.lastRow,
        changed_db: changes !== 0 || after.lastRow !== before.lastRow || size !== sizeBefore,
        size_after: size,
        rows_read: cursor.rowsRead,
        rows_written: cursor.rowsWritten,
      },
    };
  }

  #countChanges(): { total: number; lastRow: number } {
    return this.ctx.storage.sql
      .exec<{ total: number; lastRow: number }>(
        'SELECT total_changes() AS total, last_insert_rowid() AS lastRow',
      )
      .one();
  }
}

/** A list of numbers contains the bytes of a blob. */
function toParameter(value: D1Value): string | number | null | Uint8Array {
  return typeof value === 'object' && value !== null ? Uint8Array.from(value) : value;
}

function fromValue(value: string | number | null | ArrayBuffer): D1Value {
  return value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value;
}

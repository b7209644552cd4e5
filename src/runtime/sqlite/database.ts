/**
 * The private database of one object: the SQL that the object may use, and the runtime's own (trusted) statements.
 *
 * What it promises:
 * - SQL given to `exec` cannot reach the reserved tables, other files or other databases.
 * - `beforeWrite` has been called before any of that SQL writes. The owner is responsible for transactions: it opens
 *   and ends them with trusted statements.
 * - Trusted statements that only read have no effect that the object's SQL could observe.
 * - While SQLite runs a statement of the object, both are noted (`noteStatement`): SQLite cannot be interrupted from
 *   here, so the watchdog kills the whole process to stop a statement that does not end.
 * - If a failing statement ends the whole transaction, `onTransactionLost` is called.
 *
 * What it does not promise: durability. The file is scratch. Commits become durable when their pages
 * are in the journal, so SQLite itself never waits for the disk (`synchronous = OFF`) and never folds
 * its write-ahead log back into the file on its own (`wal_autocheckpoint = 0`): the owner reads the log
 * and decides. The lock is exclusive, which also keeps the index of the log in memory, without a file.
 */
import { DatabaseSync } from 'node:sqlite';
import { touchPrivateFile } from '#files';
import type { WorkName } from '#work';
import { convertBindings, toText } from './bindings.ts';
import { Cursor } from './cursor.ts';
import { pageCacheKiBDefault, type SqlLimits, sqlLimitsDefault } from './limits.ts';
import type { SqlRow } from './rows.ts';
import { Runner } from './run/runner.ts';
import { type TrustedOptions, TrustedStatement } from './trusted-statement.ts';
import { openFile } from './database-files.ts';

export interface SqlDatabaseOptions {
  /** Called before any statement of an object's SQL that may write: the place to open a transaction. */
  readonly beforeWrite: () => void;
  /** Called before any statement that reads how many rows were changed (`changes()` and the like). */
  readonly beforeChangesRead?: () => void;
  /** Called when a failing statement has ended the open transaction. */
  readonly onTransactionLost?: (error: unknown) => void;
  readonly limits?: Partial<SqlLimits>;
  /** Whose database it is, for the record of current work. */
  readonly object?: WorkName;
  /** Memory for pages of the file; what does not fit is read again from the file. */
  readonly pageCacheKiB?: number;
}

export const pageBytes = 4096;

export class SqlDatabase {
  readonly #database: DatabaseSync;
  readonly #runner: Runner;
  readonly #onTransactionLost: ((error: unknown) => void) | undefined;
  #inTransaction = false;
  /** The schema was changed in the open transaction, so a rollback would revert it. */
  #schemaTouched = false;
  /** PRAGMA defer_foreign_keys was run outside a transaction: it applies until the next one ends, or a read does. */
  #deferralSet = false;
  #pageCount: TrustedStatement | undefined;
  #freePageCount: TrustedStatement | undefined;

  constructor(path: string, options: SqlDatabaseOptions) {
    const limits = { ...sqlLimitsDefault, ...options.limits };
    this.#onTransactionLost = options.onTransactionLost;
    this.#database = openDatabase(path, limits, options.pageCacheKiB ?? pageCacheKiBDefault);
    this.#runner = new Runner(this.#database, {
      limits,
      object: options.object,
      beforeWrite: options.beforeWrite,
      beforeChangesRead: () => options.beforeChangesRead?.(),
      afterDeferralSet: () => (this.#deferralSet = !this.#inTransaction),
      afterSchemaChange: () => (this.#schemaTouched = true),
      afterFailure: (error) => this.#noticeLoss(error),
    });
  }

  /** Runs SQL of the object's code. The values apply to its last statement, and the cursor is of that statement. */
  exec<Row extends SqlRow = SqlRow>(query: unknown, ...values: unknown[]): Cursor<Row> {
    const sql = typeof query === 'string' ? query : toText(query);
    convertBindings(values);
    return new Cursor<Row>(this.#runner.run(sql, values));
  }

  /** Bytes in use, as workerd counts them: free pages do not count. */
  get databaseSize(): number {
    this.#pageCount ??= this.prepareTrusted('PRAGMA page_count', { arrays: true });
    this.#freePageCount ??= this.prepareTrusted('PRAGMA freelist_count', { arrays: true });
    const [pages] = this.#pageCount.get<[number]>()!;
    const [freePages] = this.#freePageCount.get<[number]>()!;
    return (pages - freePages) * pageBytes;
  }

  /** Tracked here: asking SQLite costs a part of a small write, and only trusted statements begin and end one. */
  get isTransaction(): boolean {
    return this.#inTransaction;
  }

  /** Whether foreign key checks may be deferred to the end of a transaction that has not begun. */
  get defersForeignKeys(): boolean {
    return this.#deferralSet;
  }

  /** Cursors between their first row and their end. While there are any, keep the file open. */
  get openCursors(): number {
    return this.#runner.openCount;
  }

  /** Prepares a trusted statement: nothing is denied to it. */
  prepareTrusted(sql: string, { arrays = false, bigInts = false }: TrustedOptions = {}): TrustedStatement {
    const { authorizer } = this.#runner;
    authorizer.takeSeen();
    const handle = this.#database.prepare(sql);
    handle.setReturnArrays(arrays);
    // After `run` Node converts the rowid inserted last to a number, even one that the object's own SQL inserted, and
    // throws if it is too large: by then the statement has run.
    handle.setReadBigInts(bigInts || handle.columns().length === 0);
    const { changesSchema } = authorizer.takeSeen();
    const verb = /^\s*(\w*)/.exec(sql)![1]!.toUpperCase();
    const readsOnly = verb === 'SELECT' || verb === 'PRAGMA';
    const controls = /^(?:BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)$/.test(verb);
    const nests = verb === 'SAVEPOINT' || verb === 'RELEASE';
    return new TrustedStatement(handle, {
      before: readsOnly ? undefined : () => this.#runner.settle(),
      after:
        controls || changesSchema
          ? () => {
              // Inside a transaction a savepoint changes nothing that is tracked here.
              if (!nests || !this.#inTransaction) this.#afterTrusted(verb, changesSchema);
            }
          : undefined,
      onFailure: (error) => this.#noticeLoss(error),
      keepState: verb === 'SELECT' ? () => (this.#deferralSet ? this.#keepDeferral() : undefined) : undefined,
    });
  }

  execTrusted(sql: string): void {
    // Rows, of a pragma for example, are not read.
    using statement = this.prepareTrusted(sql, { bigInts: true });
    statement.run();
  }

  /** Readers of cursors that are open now get an error with this message. */
  cancelCursors(message: string): void {
    this.#runner.cancel(message);
  }

  close(): void {
    if (!this.#database.isOpen) return;
    this.cancelCursors('SQLite query was canceled because the database was closed.');
    this.#runner.forgetStatements();
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Any read outside a transaction ends the deferral of foreign keys. Returns a function that restores it. */
  #keepDeferral(): (() => void) | undefined {
    if (this.#inTransaction) return undefined;
    const handle = this.#database.prepare('PRAGMA defer_foreign_keys');
    const deferred = handle.get()!['defer_foreign_keys'] === 1;
    handle.close();
    if (!deferred) return undefined;
    return () => this.#database.exec('PRAGMA defer_foreign_keys = ON');
  }

  #afterTrusted(verb: string, changesSchema: boolean): void {
    this.#inTransaction = this.#database.isTransaction;
    if (!this.#inTransaction) this.#deferralSet = false;
    if (changesSchema || (verb === 'ROLLBACK' && this.#schemaTouched)) this.#runner.forgetStatements();
    this.#schemaTouched = this.#inTransaction && (changesSchema || this.#schemaTouched);
  }

  #noticeLoss(error: unknown): void {
    if (!this.#inTransaction || this.#database.isTransaction) return;
    this.#inTransaction = false;
    this.#schemaTouched = false;
    this.#runner.forgetStatements();
    this.#onTransactionLost?.(error);
  }
}

function openDatabase(path: string, limits: SqlLimits, pageCacheKiB: number): DatabaseSync {
  if (path !== ':memory:') touchPrivateFile(path);
  const database = openFile(path, {
    // Objects written for workerd may quote strings with double quotes.
    enableDoubleQuotedStringLiterals: true,
    enableForeignKeyConstraints: true,
    defensive: true,
    // The length is checked on the given text; the rewritten text may be longer.
    limits: { ...limits, sqlLength: limits.sqlLength * 3 },
  });
  // `synchronous = OFF` comes first: otherwise SQLite syncs several times to switch a new file to a write-ahead log.
  database.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA page_size = ${pageBytes};
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL;
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA temp_store = MEMORY;
  `);
  // SQLite starts a page cache by allocating 20 pages at once, and a small object uses three. A cache that is emptied
  // while it is limited to one page frees them, and then grows page by page.
  database.exec(`
    PRAGMA cache_size = 1;
    PRAGMA shrink_memory;
    SELECT count(*) FROM sqlite_schema;
    PRAGMA cache_size = -${pageCacheKiB};
  `);
  return database;
}

/**
 * The private database of one object: SQL as the object may use it, and statements of our own beside it.
 *
 * What it promises:
 * - SQL given to `exec` cannot reach the reserved tables, other files or other databases.
 * - `beforeWrite` has been called before any of that SQL writes. Transactions are the owner's business:
 *   it opens and ends them with trusted statements.
 * - Statements of our own that only read leave no trace that the object's SQL could see.
 * - While SQLite runs a statement of the object, both are noted (`noteStatement`): SQLite cannot be interrupted from
 *   here, so a statement without an end is ended with its process, by its watchdog.
 * - If a failing statement takes the whole transaction with it, `onTransactionLost` is told.
 *
 * What it does not promise: durability. The file is scratch. Commits become durable when their pages
 * are in the journal, so SQLite itself never waits for the disk (`synchronous = OFF`) and never folds
 * its write-ahead log back into the file on its own (`wal_autocheckpoint = 0`): the owner reads the log
 * and decides. The lock is exclusive, which also keeps the index of the log in memory, without a file.
 */
import { DatabaseSync } from 'node:sqlite';
import { touchPrivateFile, type WorkName } from '#base';
import { convertBindings, toText } from './bindings.ts';
import { Cursor } from './cursor.ts';
import { pageCacheKiBDefault, type SqlLimits, sqlLimitsDefault } from './limits.ts';
import type { SqlRow } from './rows.ts';
import { Runner } from './run/runner.ts';
import { type TrustedOptions, TrustedStatement } from './trusted-statement.ts';
import { openFile } from './open-file.ts';

export interface SqlDatabaseOptions {
  /** Called before any statement of an object's SQL that may write: the place to open a transaction. */
  readonly beforeWrite: () => void;
  /** Called before any statement that asks SQLite what was changed (`changes()` and the like). */
  readonly beforeChangesRead?: () => void;
  /** Called when a failing statement has ended the transaction that was open. */
  readonly onTransactionLost?: (error: unknown) => void;
  readonly limits?: Partial<SqlLimits>;
  /** Whose database it is, for the notes. */
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
  /** The schema has been changed in the transaction that is open, so a rollback would change it back. */
  #schemaTouched = false;
  /** PRAGMA defer_foreign_keys was given outside a transaction: it holds until the next one ends, or a read does. */
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

  /** Runs SQL of the object's code. The values are for its last statement, and so is the cursor. */
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

  /** Kept account of here: asking SQLite costs a part of a small write, and only our own statements begin and end one. */
  get isTransaction(): boolean {
    return this.#inTransaction;
  }

  /** Whether checking foreign keys may be put off to the end of a transaction that has not begun. */
  get defersForeignKeys(): boolean {
    return this.#deferralSet;
  }

  /** Cursors that stand between their first row and their end. While there are any, keep the file open. */
  get openCursors(): number {
    return this.#runner.openCount;
  }

  /** A statement of our own: nothing is denied to it. */
  prepareTrusted(sql: string, { arrays = false, bigInts = false }: TrustedOptions = {}): TrustedStatement {
    const { authorizer } = this.#runner;
    authorizer.takeSeen();
    const handle = this.#database.prepare(sql);
    handle.setReturnArrays(arrays);
    // After `run` Node makes a number of the id of the row inserted last, also if that was one of the object's own, and
    // throws if it is too large for one: by then the statement has run.
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
              // Inside a transaction a savepoint changes nothing that is kept account of.
              if (!nests || !this.#inTransaction) this.#afterTrusted(verb, changesSchema);
            }
          : undefined,
      onFailure: (error) => this.#noticeLoss(error),
      keepState: verb === 'SELECT' ? () => (this.#deferralSet ? this.#keepDeferral() : undefined) : undefined,
    });
  }

  execTrusted(sql: string): void {
    // Its rows, of a pragma for example, are not read.
    using statement = this.prepareTrusted(sql, { bigInts: true });
    statement.run();
  }

  /** Users of a cursor that is open now get an error with this message. */
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

  /** Any read that ends outside a transaction ends the deferral of foreign keys. Answers how to bring it back. */
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
    // The length is checked on the text as it is given; what it is rewritten to may be longer.
    limits: { ...limits, sqlLength: limits.sqlLength * 3 },
  });
  // Not waiting for the disk comes first: SQLite would wait for it several times to make a new file one with a log.
  database.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA page_size = ${pageBytes};
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL;
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA temp_store = MEMORY;
  `);
  // SQLite starts a page cache by allocating 20 pages at once, and a small object uses three. A cache that
  // is emptied while it is limited to one page gives them back, and then grows page by page.
  database.exec(`
    PRAGMA cache_size = 1;
    PRAGMA shrink_memory;
    SELECT count(*) FROM sqlite_schema;
    PRAGMA cache_size = -${pageCacheKiB};
  `);
  return database;
}

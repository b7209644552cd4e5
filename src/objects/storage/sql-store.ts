/**
 * The storage of an SQL object: a private SQLite database. The database file is scratch, made from the
 * journal when the object wakes and thrown away when it sleeps; what lasts is the pages each commit wrote,
 * read back from SQLite's own write-ahead log and appended to the journal.
 *
 * Invariants:
 * - Writes outside a transaction gather in an implicit one that `commit` ends with the turn.
 * - Key-value data lives in the hidden table `_cf_KV`, the alarm in `_cf_METADATA`, so both follow every
 *   rollback and every recovery.
 * - A parked store has no open handle; its scratch file is complete and is opened again on first use.
 */
import { existsSync } from 'node:fs';
import { assert } from '#base';
import { noPosition } from '#journal';
import {
  type SqlCursor,
  SqlDatabase,
  type TrustedStatement,
  WalReader,
  pageBytes,
  removeDatabase,
} from '#sqlite';
import type { DatabasePool, Parkable } from '../life/database-pool.ts';
import type { Ledger, Recorded } from '../ledger/ledger.ts';
import { snapshotLogWeightMin, walBytesMax } from '../limits.ts';
import { encodePages } from '../history/page-images.ts';
import type { BinaryRange, KeyValues, Row } from './key-values.ts';
import { statementsForSettings } from './connection-settings.ts';
import { HiddenTables } from './hidden-tables.ts';
import type { ValueCache } from './value-cache.ts';

export interface SqlStoreParts {
  readonly ledger: Ledger;
  /** Where the scratch file is or will be. */
  readonly path: string;
  readonly name: string | undefined;
  /** Called before each write. Writes by SQL are always confirmed; for the others the caller has decided. */
  readonly beforeWrite: (options: { confirmed: boolean }) => void;
  /** Told when the handle is opened and closed, so that others can be parked. */
  readonly pool: DatabasePool;
  readonly cache: ValueCache;
  /** The log since the last snapshot outweighs the database. */
  readonly onGrown: () => void;
  readonly onClose: () => void;
}

export class SqlStore implements KeyValues, Parkable {
  readonly #ledger: Ledger;
  readonly #path: string;
  readonly #name: string | undefined;
  readonly #beforeWrite: (options: { confirmed: boolean }) => void;
  readonly #pool: DatabasePool;
  readonly #cache: ValueCache;
  readonly #onGrown: () => void;
  readonly #onClose: () => void;
  /** What the log weighed when a snapshot was last asked for; zero once it is not due any more. */
  #askedAtWeight = 0;
  #used = false;
  #closed = false;
  /** What the handle that was parked last had set. */
  #settings: readonly string[] = [];
  #database: SqlDatabase | undefined;
  #hidden: HiddenTables | undefined;
  #wal: WalReader;
  readonly #controls = new Map<string, TrustedStatement>();
  #depth = 0;
  #alarmTouched = false;
  /** Whether turns that have ended wait in the implicit transaction, behind a mark. */
  #held = false;
  /** Why SQLite gave up the transaction of this turn, if it did: what the turn wrote can only be given up, too. */
  #lost: unknown;
  /** The next commit starts the database over from nothing. */
  #startsOver = false;

  constructor(parts: SqlStoreParts) {
    this.#ledger = parts.ledger;
    this.#path = parts.path;
    this.#name = parts.name;
    this.#beforeWrite = parts.beforeWrite;
    this.#pool = parts.pool;
    this.#cache = parts.cache;
    this.#onGrown = parts.onGrown;
    this.#onClose = parts.onClose;
    this.#wal = new WalReader(parts.path);
  }

  exec(query: unknown, bindings: unknown[]): SqlCursor {
    return this.#open().exec(query, ...bindings);
  }

  get databaseSize(): number {
    this.#hidden?.flush();
    return this.#open().databaseSize;
  }

  get(key: string): Uint8Array | undefined {
    return this.#tables().get(key);
  }

  put(key: string, value: Uint8Array): void {
    this.#write(false);
    this.#tables().put(key, value);
  }

  delete(key: string): boolean {
    // Deleting what is not there is no write: nothing to make durable.
    if (this.#tables().get(key) === undefined) return false;
    this.#write(false);
    this.#tables().delete(key);
    return true;
  }

  list(range: BinaryRange): Row[] {
    return this.#tables().list(range);
  }

  /** The rows of a range one by one, each as it is when its turn comes. */
  iterate(range: BinaryRange): Iterator<Row> {
    return HiddenTables.iterate(() => this.#tables(), range);
  }

  getAlarm(): number | null {
    if (this.#database === undefined && this.#ledger.entry.alarm === undefined) return null;
    return this.#tables().alarm();
  }

  setAlarm(time: number | null): void {
    if (this.getAlarm() === time) return;
    this.#write(false);
    this.#alarmTouched = true;
    this.#tables().setAlarm(time);
  }

  /** How many transactions are open, one inside the other. */
  get depth(): number {
    return this.#depth;
  }

  /** Opens a transaction, or one inside the other. Answers how deep it is. */
  begin(): number {
    if (!this.#open().isTransaction) this.#control('BEGIN');
    this.#hidden?.flush();
    this.#control(`SAVEPOINT _cf_savepoint_${this.#depth}`);
    return this.#depth++;
  }

  release(depth: number): void {
    this.#depth = depth;
    this.#checkWhole();
    this.#control(`RELEASE _cf_savepoint_${depth}`);
  }

  rollback(depth: number): void {
    this.#depth = depth;
    // A critical error may have ended the whole transaction already.
    if (!this.#open().isTransaction) return;
    this.#control(`ROLLBACK TO _cf_savepoint_${depth}`);
    this.#control(`RELEASE _cf_savepoint_${depth}`);
    this.#hidden?.rolledBack();
  }

  /** Marks the end of a turn inside the implicit transaction, which goes on. */
  holdTurn(): void {
    if (this.#database?.isTransaction !== true) return;
    this.#hidden?.flush();
    if (this.#held) this.#control('RELEASE _cf_turn');
    this.#control('SAVEPOINT _cf_turn');
    this.#held = true;
  }

  /** Undoes this turn; answers whether earlier ones wait to be committed. */
  dropTurn(): boolean {
    // A ledger that failed is ahead of the disk: nothing may be chained to what it knows.
    if (!this.#held || this.#lost !== undefined || this.#ledger.failed) return false;
    this.#depth = 0;
    this.#control('ROLLBACK TO _cf_turn');
    this.#hidden?.rolledBack();
    return true;
  }

  /** Ends the implicit transaction; undefined if it changed nothing. Throws what COMMIT throws. */
  commit(): Recorded | undefined {
    assert(this.#depth === 0, 'a commit does not cut through a transaction');
    this.#checkWhole();
    const database = this.#database;
    if (database?.isTransaction === true) {
      this.#hidden?.flush();
      this.#control('COMMIT');
    }
    this.#held = false;
    const images = database === undefined ? undefined : this.#wal.readCommit();
    const startsOver = this.#startsOver;
    if (images === undefined && !startsOver) return undefined;
    const alarm = this.#alarmTouched ? this.getAlarm() : undefined;
    const name = this.#ledger.entry.name === undefined ? this.#name : undefined;
    this.#alarmTouched = false;
    this.#startsOver = false;
    const recorded = this.#ledger.append({
      chained: true,
      ...(name === undefined ? {} : { name }),
      ...(alarm === undefined ? {} : { alarm }),
      ...(startsOver ? { base: { image: noPosition, request: noPosition } } : {}),
      ...(images === undefined ? {} : { pages: encodePages(images) }),
    });
    this.#foldWal();
    if (images !== undefined) this.#askForSnapshot(images.pageCount * pageBytes);
    return recorded;
  }

  /** Empties the database; only the alarm stays. Open cursors and the writes of this turn are gone. */
  deleteAll(): void {
    this.#beforeWrite({ confirmed: true });
    const alarm = this.getAlarm();
    this.#database?.cancelCursors('SQLite query was canceled because the database was deleted.');
    this.#removeFiles();
    this.#lost = undefined;
    this.#startsOver = true;
    if (alarm === null) return;
    this.#write(false);
    this.#tables().setAlarm(alarm);
    this.#alarmTouched = true;
  }

  /** Whether the handle can be given up without anybody noticing. */
  get parkable(): boolean {
    const database = this.#database;
    return database !== undefined && !database.isTransaction && database.openCursors === 0;
  }

  takeUsed(): boolean {
    const used = this.#used;
    this.#used = false;
    return used;
  }

  /** Gives up the handle; the scratch file stays. */
  park(): void {
    this.#settings = statementsForSettings(this.#open());
    this.#closeHandle();
  }

  /** Gives up everything; what was not committed is gone. */
  close(): void {
    this.#closed = true;
    this.#removeFiles();
    this.#onClose();
  }

  #open(): SqlDatabase {
    assert(!this.#closed, 'a storage that was closed is not used again');
    if (this.#database === undefined) {
      const hasLog = existsSync(`${this.#path}-wal`);
      this.#database = new SqlDatabase(this.#path, {
        beforeWrite: () => this.#write(true),
        onTransactionLost: (error) => {
          this.#lost = error;
        },
      });
      if (hasLog) this.#wal.skip(framesInLog(this.#database));
      for (const statement of this.#settings) this.#database.execTrusted(statement);
      this.#pool.opened(this);
    }
    this.#used = true;
    return this.#database;
  }

  #tables(): HiddenTables {
    return (this.#hidden ??= new HiddenTables(this.#open(), this.#cache));
  }

  #checkWhole(): void {
    if (this.#lost === undefined) return;
    throw new Error('Cannot commit transaction due to an earlier SQL critical error', { cause: this.#lost });
  }

  #write(confirmed: boolean): void {
    this.#checkWhole();
    this.#beforeWrite({ confirmed });
    if (!this.#open().isTransaction) this.#control('BEGIN');
  }

  /** The statements that begin and end transactions are needed all the time: compiled once. */
  #control(sql: string): void {
    let statement = this.#controls.get(sql);
    if (statement === undefined) {
      statement = this.#open().prepareTrusted(sql);
      this.#controls.set(sql, statement);
    }
    statement.run();
  }

  #askForSnapshot(databaseBytes: number): void {
    const { logWeight } = this.#ledger.entry;
    if (logWeight <= Math.max(snapshotLogWeightMin, databaseBytes)) {
      this.#askedAtWeight = 0;
    } else if (logWeight > 2 * this.#askedAtWeight) {
      // Should it fail, as on a full disk, it is asked for again when the log weighs twice as much.
      this.#askedAtWeight = logWeight;
      this.#onGrown();
    }
  }

  /** Keeps the write-ahead log short. It cannot start over under a cursor: then a later commit does it. */
  #foldWal(): void {
    const database = this.#database;
    if (database === undefined || this.#wal.bytes < walBytesMax || database.openCursors > 0) return;
    database.execTrusted('PRAGMA wal_checkpoint(TRUNCATE)');
    if (framesInLog(database) === 0) this.#wal.checkpointed();
  }

  #closeHandle(): void {
    this.#wal.close();
    this.#pool.closed(this);
    this.#hidden?.close();
    this.#database?.close();
    this.#database = undefined;
    this.#hidden = undefined;
    this.#held = false;
    this.#controls.clear();
    // The last handle to close folds the log into the file, unless the disk is full; the next one reads on behind it.
    this.#wal = new WalReader(this.#path);
  }

  #removeFiles(): void {
    this.#closeHandle();
    this.#settings = [];
    removeDatabase(this.#path);
  }
}

function framesInLog(database: SqlDatabase): number {
  using statement = database.prepareTrusted('PRAGMA wal_checkpoint(NOOP)', { arrays: true });
  const [, frames] = statement.get<[busy: number, frames: number]>()!;
  return frames;
}

/**
 * The storage of an SQL object: a private SQLite database. The database file is scratch, created from the journal when
 * the object wakes and abandoned when it sleeps; the durable data is the pages that commits wrote, read from SQLite's
 * own write-ahead log and appended to the journal.
 *
 * Invariants:
 * - Writes outside a transaction gather in an implicit one that `endTurn` commits: none is open between turns.
 * - Before SQL of the object runs, key-value writes of earlier turns are committed, and the transaction of this turn is
 *   open if it has written: `settle` ensures both. So the writes of a turn without SQL can stay in memory without any
 *   observable difference.
 * - `record` changes nothing that the object's SQL could observe.
 * - The log is folded, and the handle parked, only when all of its commits are recorded.
 * - Key-value data lives in the hidden table `_cf_KV`, the alarm in `_cf_METADATA`, so both follow every
 *   rollback and every recovery.
 * - A parked store has no open handle; its scratch file is complete and is opened again on first use.
 */
import { existsSync } from 'node:fs';
import { assert } from '#base';
import type { WorkName } from '#work';
import { type Position, noPosition } from '#journal';
import { type SqlCursor, SqlDatabase, WalReader, pageBytes, removeDatabase } from '#sqlite';
import type { DatabasePool, Parkable } from '../files/database-pool.ts';
import type { Ledger, Recorded } from '../ledger/ledger.ts';
import { snapshotLogWeightMin, walBytesMax } from '../limits.ts';
import { encodePages } from '../pages/page-images.ts';
import type { BinaryRange, KeyValues, ReadOptions, KeyValuePair } from './key-values.ts';
import { framesInLog, statementsForSettings, ControlStatements } from './sql-connection.ts';
import { HiddenTables } from './hidden-tables.ts';
import type { ValueCache } from './value-cache.ts';

export interface SqlStoreParts {
  readonly ledger: Ledger;
  /** The path of the scratch file, whether it exists yet or not. */
  readonly path: string;
  /** The record whose state the file has. */
  readonly position: Position;
  readonly name: string | undefined;
  /** The object, in the record of what this process is working on. */
  readonly work: WorkName;
  /** Called before each write. Writes by SQL are always confirmed; for other writes the caller decides. */
  readonly beforeWrite: (options: { confirmed: boolean }) => void;
  /** Notified when the handle is opened and closed, so that it can park others. */
  readonly pool: DatabasePool;
  readonly cache: ValueCache;
  /** The log since the last snapshot outweighs the database. */
  readonly onGrown: () => void;
  /** The store is closed. If the file is certain to have the state of a record, the receiver owns it. */
  readonly onClose: (file: { path: string; position: Position } | undefined) => void;
}

export class SqlStore implements KeyValues, Parkable {
  readonly #parts: SqlStoreParts;
  /** The weight of the log when a snapshot was last requested; zero once none is due. */
  #askedAtWeight = 0;
  #used = false;
  #handle: SqlHandle = { state: 'parked', settings: [] };
  #wal: WalReader;
  #depth = 0;
  /** How many of the open transactions have a savepoint; the inner ones may have written only in memory. */
  #savepoints = 0;
  /** Whether this turn has written, so that its SQL must run in a transaction. */
  #touched = false;
  /** The effects of this turn besides written pages, and those of turns that ended since the last record. */
  #turn: TurnEffects = noEffects();
  #ended: TurnEffects = noEffects();
  /** Whether commits in the log are still to be recorded. */
  #unrecorded = false;
  /** The record whose state the file's committed state is; undefined while that is uncertain. */
  #position: Position | undefined;
  /** The next record is followed by folding the log. */
  #foldDue = false;
  /** Why SQLite aborted this turn's transaction, if it did: the turn's writes can then only be discarded. */
  #lost: unknown;

  constructor(parts: SqlStoreParts) {
    this.#parts = parts;
    this.#position = parts.position;
    this.#wal = new WalReader(parts.path);
  }

  exec(query: unknown, bindings: unknown[]): SqlCursor {
    this.#settle();
    return this.#open().exec(query, ...bindings);
  }

  get databaseSize(): number {
    this.#settle();
    this.#hidden?.flush();
    return this.#open().databaseSize;
  }

  get(key: string): Uint8Array | undefined {
    return this.#tables().get(key);
  }

  put(key: string, value: Uint8Array): void {
    this.#touch(false);
    if (!this.#tables().canGather(value.length)) this.#settle();
    this.#tables().put(key, value);
  }

  delete(key: string): boolean {
    this.#touch(false);
    if (!this.#tables().canGather(0)) this.#settle();
    return this.#tables().delete(key);
  }

  list(range: BinaryRange, options: ReadOptions = {}): KeyValuePair[] {
    this.#settle();
    return this.#tables().list(range, options);
  }

  /** The rows of a range one by one, each in its state when it is reached. */
  iterate(range: BinaryRange): Iterator<KeyValuePair> {
    const current = (): HiddenTables => {
      this.#settle();
      return this.#tables();
    };
    return HiddenTables.iterate(current, range);
  }

  getAlarm(): number | null {
    if (this.#database === undefined && this.#parts.ledger.entry.alarm === undefined) return null;
    return this.#tables().alarm();
  }

  setAlarm(time: number | null): void {
    if (this.getAlarm() === time) return;
    this.#write(false);
    this.#turn.alarmTouched = true;
    this.#tables().setAlarm(time);
  }

  /** Keeps tables over restores from now on; returns whether any were kept before. */
  keepTables(names: readonly string[]): boolean {
    return this.#tables().keep(names, () => this.#write(true));
  }

  /** The nesting depth of open transactions. */
  get depth(): number {
    return this.#depth;
  }

  /** Opens a transaction, nested if one is open. Returns its depth. */
  begin(): number {
    const tables = this.#tables();
    const depth = this.#depth++;
    this.#touched = true;
    if (this.#open().isTransaction && this.#savepoints === depth) {
      tables.flush();
      this.#control.run('SAVEPOINT', this.#savepoints++);
    } else {
      tables.gathered.push();
      if (!tables.canGather(0)) this.#settle();
    }
    return depth;
  }

  release(depth: number): void {
    this.#depth = depth;
    this.#checkWhole();
    this.#tables().gathered.merge(Math.max(0, depth - this.#savepoints));
    if (depth >= this.#savepoints) return;
    this.#savepoints = depth;
    this.#control.run('RELEASE', depth);
  }

  rollback(depth: number): void {
    this.#depth = depth;
    this.#tables().gathered.drop(Math.max(0, depth - this.#savepoints));
    this.#tables().droppedLayer();
    if (depth >= this.#savepoints) return;
    this.#savepoints = depth;
    // A critical error may have ended the whole transaction already.
    if (!this.#open().isTransaction) return;
    this.#control.run('ROLLBACK TO', depth);
    this.#control.run('RELEASE', depth);
    this.#hidden?.rolledBack();
  }

  /** Commits the implicit transaction. Throws what COMMIT throws. */
  endTurn(): boolean {
    assert(this.#depth === 0, 'a turn does not end inside a transaction');
    this.#checkWhole();
    if (this.#touched) this.#commitTurn();
    const { alarmTouched, startsOver } = this.#turn;
    if (alarmTouched) this.#ended.alarm = this.getAlarm();
    if (startsOver) this.#ended.startsOver = true;
    if (alarmTouched || startsOver) this.#turn = noEffects();
    // Now, while nothing of the next turn has run: folding is a statement, and the turn's SQL could observe it.
    this.#foldDue = this.#wal.bytes >= walBytesMax;
    return this.#foldDue;
  }

  /** Appends the writes of turns that ended since the last record; undefined if they changed nothing. */
  record(): Recorded | undefined {
    if (this.#hidden !== undefined && this.#hidden.gathered.ended.size > 0) this.#commitEnded();
    const images = this.#unrecorded ? this.#wal.readCommits() : undefined;
    const { alarm, startsOver } = this.#ended;
    if (images !== undefined || startsOver) this.#position = undefined;
    this.#unrecorded = false;
    if (this.#foldDue) this.#foldWal();
    if (images === undefined && !startsOver) return undefined;
    const name = this.#parts.ledger.entry.name === undefined ? this.#parts.name : undefined;
    this.#ended = noEffects();
    const recorded = this.#parts.ledger.append({
      chained: true,
      ...(name === undefined ? {} : { name }),
      ...(alarm === undefined ? {} : { alarm }),
      ...(startsOver ? { base: { image: noPosition, request: noPosition } } : {}),
      ...(images === undefined ? {} : { pages: encodePages(images) }),
    });
    this.#position = recorded.position;
    if (images !== undefined) this.#askForSnapshot(images.pageCount * pageBytes);
    return recorded;
  }

  /** Empties the database; only the alarm stays. Open cursors and the writes of this turn are discarded. */
  deleteAll(): void {
    this.#parts.beforeWrite({ confirmed: true });
    const alarm = this.getAlarm();
    this.#database?.cancelCursors('SQLite query was canceled because the database was deleted.');
    this.#turn.startsOver = true;
    this.#removeFiles({ state: 'parked', settings: [] });
    this.#lost = undefined;
    this.#touched = false;
    if (alarm === null) return;
    this.#write(false);
    this.#tables().setAlarm(alarm);
    this.#turn.alarmTouched = true;
  }

  /** Whether the handle can be closed without an observable effect. */
  get parkable(): boolean {
    const database = this.#database;
    // Writes of a turn or a transaction may exist only in memory.
    if (database === undefined || database.isTransaction || this.#touched || this.#unrecorded) return false;
    // The handle counts changed rows for the object's SQL, and open cursors need it.
    return this.#hidden?.canGather(0) !== false && database.openCursors === 0;
  }

  takeUsed(): boolean {
    const used = this.#used;
    this.#used = false;
    return used;
  }

  /** Closes the handle; the scratch file stays. */
  park(): void {
    this.#closeHandle({ state: 'parked', settings: statementsForSettings(this.#open()) });
  }

  /** Closes everything; uncommitted writes are lost. */
  close(): void {
    const position = this.#position;
    const startsOver = this.#turn.startsOver || this.#ended.startsOver;
    const isCertain = !this.#unrecorded && !startsOver && this.#lost === undefined;
    if (isCertain && position !== undefined && position !== noPosition) {
      this.#closeHandle({ state: 'closed' });
      this.#parts.onClose({ path: this.#parts.path, position });
    } else {
      this.#removeFiles({ state: 'closed' });
      this.#parts.onClose(undefined);
    }
  }

  #open(): SqlDatabase {
    return this.#openHandle().database;
  }

  #openHandle(): OpenHandle {
    this.#used = true;
    const handle = this.#handle;
    if (handle.state === 'open') return handle;
    assert(handle.state === 'parked', 'a storage that was closed is not used again');
    const hasLog = existsSync(`${this.#parts.path}-wal`);
    const database = new SqlDatabase(this.#parts.path, {
      object: this.#parts.work,
      beforeWrite: () => this.#write(true),
      beforeChangesRead: () => this.#tables().stopGathering(),
      onTransactionLost: (error) => {
        this.#lost = error;
      },
    });
    const opened = { state: 'open', database, control: new ControlStatements(database) } as const;
    this.#handle = opened;
    if (hasLog) this.#wal.skip(framesInLog(database));
    for (const statement of handle.settings) database.execTrusted(statement);
    this.#parts.pool.opened(this);
    return opened;
  }

  #tables(): HiddenTables {
    const hidden = this.#hidden;
    if (hidden !== undefined) return hidden;
    const handle = this.#openHandle();
    return (handle.hidden = new HiddenTables(handle.database, this.#parts.cache));
  }

  /** Undefined while the handle is parked. */
  get #database(): SqlDatabase | undefined {
    return this.#handle.state === 'open' ? this.#handle.database : undefined;
  }

  /** Undefined until they are used. */
  get #hidden(): HiddenTables | undefined {
    return this.#handle.state === 'open' ? this.#handle.hidden : undefined;
  }

  get #control(): ControlStatements {
    assert(this.#handle.state === 'open', 'a transaction has a handle');
    return this.#handle.control;
  }

  #checkWhole(): void {
    if (this.#lost === undefined) return;
    throw new Error('Cannot commit transaction due to an earlier SQL critical error', { cause: this.#lost });
  }

  /** Marks this turn as one that writes. */
  #touch(confirmed: boolean): void {
    this.#checkWhole();
    this.#parts.beforeWrite({ confirmed });
    this.#touched = true;
  }

  #write(confirmed: boolean): void {
    this.#touch(confirmed);
    this.#settle();
  }

  /** Brings the database into the state it would have if every key-value write were a statement: see the invariants. */
  #settle(): void {
    const hidden = this.#hidden;
    if (hidden !== undefined && hidden.gathered.ended.size > 0) this.#commitEnded();
    if (!this.#touched) return;
    if (!this.#open().isTransaction) this.#control.run('BEGIN');
    while (this.#savepoints < this.#depth) {
      hidden!.flush();
      hidden!.gathered.shift();
      this.#control.run('SAVEPOINT', this.#savepoints++);
    }
    hidden?.createForGathered();
  }

  #commitTurn(): void {
    const database = this.#open();
    const { gathered } = this.#tables();
    this.#touched = false;
    if (!database.isTransaction) {
      // Not observable, unless a setting takes effect at the end of the next transaction.
      const waits = !database.defersForeignKeys && gathered.endTurn();
      this.#unrecorded ||= gathered.ended.size > 0;
      if (waits) return;
      if (gathered.ended.size > 0) this.#commitEnded();
      this.#control.run('BEGIN');
    }
    this.#hidden?.flush();
    this.#unrecorded = true;
    this.#control.run('COMMIT');
  }

  /** Commits the writes of ended turns that waited in memory. */
  #commitEnded(): void {
    this.#checkWhole();
    const tables = this.#tables();
    this.#unrecorded = true;
    try {
      this.#control.run('BEGIN');
      tables.flushEnded();
      this.#control.run('COMMIT');
    } catch (error) {
      // Without these writes, no later one may be kept.
      this.#lost ??= error;
      throw error;
    }
    tables.gathered.clearEnded();
  }

  #askForSnapshot(databaseBytes: number): void {
    const { logWeight } = this.#parts.ledger.entry;
    if (logWeight <= Math.max(snapshotLogWeightMin, databaseBytes)) {
      this.#askedAtWeight = 0;
    } else if (logWeight > 2 * this.#askedAtWeight) {
      // If it fails, as on a full disk, a snapshot is requested again when the log weighs twice as much.
      this.#askedAtWeight = logWeight;
      this.#parts.onGrown();
    }
  }

  /** Keeps the write-ahead log short. It cannot be restarted under an open cursor: then a later turn does it. */
  #foldWal(): void {
    const database = this.#database;
    this.#foldDue = false;
    if (database === undefined || database.openCursors > 0) return;
    database.execTrusted('PRAGMA wal_checkpoint(TRUNCATE)');
    if (framesInLog(database) === 0) this.#wal.checkpointed();
  }

  #closeHandle(next: SqlHandle): void {
    const [hidden, database] = [this.#hidden, this.#database];
    this.#handle = next;
    this.#wal.close();
    this.#parts.pool.closed(this);
    hidden?.close();
    database?.close();
    // The last handle to close folds the log into the file, unless the disk is full; the next one continues reading
    // after it.
    this.#wal = new WalReader(this.#parts.path);
  }

  #removeFiles(next: SqlHandle): void {
    this.#closeHandle(next);
    removeDatabase(this.#parts.path);
  }
}

/** The open database of an object in this process. A parked one has no open handle; its file is complete. */
interface OpenHandle {
  readonly state: 'open';
  readonly database: SqlDatabase;
  readonly control: ControlStatements;
  /** Set on their first use. */
  hidden?: HiddenTables;
}

type SqlHandle =
  | {
      readonly state: 'parked';
      /** The settings of the handle that was parked last. */
      readonly settings: readonly string[];
    }
  | OpenHandle
  | { readonly state: 'closed' };

/** The effects of a turn on a database besides written pages. */
interface TurnEffects {
  alarmTouched: boolean;
  /** The alarm after the turn, if the turn touched it. */
  alarm: number | null | undefined;
  /** The database starts over from nothing. */
  startsOver: boolean;
}

function noEffects(): TurnEffects {
  return { alarmTouched: false, alarm: undefined, startsOver: false };
}

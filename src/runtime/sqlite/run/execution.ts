/**
 * One run of a statement, and the position that a cursor and all its iterators share.
 *
 * What the caller may rely on: `exec` has run the statement up to its first row, and returning a row runs it up to the
 * next one. So a row that has been fetched ahead keeps its values whatever is written meanwhile, later rows reflect
 * these writes, the call that fetches a row throws its errors, and a table cannot be dropped while a cursor is on one
 * of its rows.
 *
 * Stepping row by row is the slow way (a native iterator costs more than a whole point read), so a run takes a shortcut
 * wherever the difference is not observable:
 *
 * - Statements without a result are run at once, to their end.
 * - Statements that write and return rows (RETURNING) make all their changes before their first row. All their rows are
 *   read at once; so no open statement can prevent a COMMIT.
 * - Reads whose program cannot fail (see `program.ts`) wait until a row is requested. Then all rows are read in one
 *   call, unless the statement returns very many. Before anything else happens to the database, `settle` brings such a
 *   run to its nominal state: on the row it would have fetched ahead. The database has not changed since `exec`, so it
 *   is the same row.
 * - Reads that return at most one row but may fail are run to their end at once. If the row has not been taken when
 *   something else happens, `settle` runs them again up to the row, for the lock that this holds.
 *
 * A run that is on a row has its statement to itself: the statement leaves the cache and returns to it when the run is
 * over; a run that is abandoned half-way is garbage-collected with its statement.
 */
import { assert } from '#base';
import type { BoundValue } from '../bindings.ts';
import { isIntegerTooLarge } from '../errors.ts';
import type { StatementProgram } from './program.ts';
import type { NativeValue } from '../rows.ts';
import type { Counters, Statement } from './statement.ts';

/** What a run needs from its database. */
export interface ExecutionHost {
  /** SQLite is about to run a statement of the object, until `leave`. */
  enter(statement: Statement): void;
  leave(): void;
  /** The one run that has something to settle, if any. */
  unsettled: Execution | undefined;
  /** The run is on a row from now on, until it is released. */
  hold(execution: Execution): void;
  letGo(execution: Execution): void;
  /** Returns the error to throw in place of SQLite's. */
  fail(error: unknown): unknown;
  totalChanges(): number;
}

/** Shared by all runs that one `deleteAll` would cancel. */
export interface Generation {
  canceled: string | undefined;
}

type ExecutionState =
  /** Nothing has been run yet, which is not observable. */
  | 'deferred'
  /** The run is over; `#rows` from `#at` on are still to be returned. */
  | 'collected'
  /** `#ahead` is the next row, and the statement is on it. */
  | 'standing'
  | 'over'
  /** A reader that asks for a row gets `#error`. */
  | 'failed';

export interface RowCounts {
  readonly read: number;
  readonly written: number;
}

const noRows: NativeValue[][] = [];
const noValues: BoundValue[] = [];

/** A statement that has returned more rows than this before is stepped through: its rows may not fit into memory. */
const gatheredRowsMax = 1_000;

export class Execution {
  readonly statement: Statement;
  /** Represents the run where a reference to it would keep it from being collected. */
  readonly token = {};
  /** SQLite's counters of this run, once another run of the same statement has begun. */
  counters: Counters | undefined;
  readonly #host: ExecutionHost;
  readonly #generation: Generation;
  readonly #program: StatementProgram | undefined;
  #values: BoundValue[];
  #state: ExecutionState = 'over';
  #rows: NativeValue[][] = noRows;
  #at = 0;
  #iterator: Iterator<NativeValue[]> | undefined;
  #ahead: NativeValue[] | undefined;
  #error: unknown;
  /** Rows that the statement has stepped to, and the first value of the first of them. */
  #stepped = 0;
  #firstValue: NativeValue = null;
  /** The run is on a row, or was abandoned there. */
  #suspended = false;
  #changes = 0;
  #totalChanges = 0;

  constructor(host: ExecutionHost, generation: Generation, statement: Statement, values: BoundValue[]) {
    this.statement = statement;
    this.#host = host;
    this.#generation = generation;
    this.#values = values;
    this.#program = statement.use();
    this.#start();
  }

  /** The next row, or undefined after the last. */
  take(): NativeValue[] | undefined {
    if (this.#state !== 'standing') this.#prepareToTake();
    if (this.#state === 'standing') {
      const row = this.#ahead;
      this.#step();
      return row;
    }
    if (this.#at >= this.#rows.length) return undefined;
    const row = this.#rows[this.#at++];
    if (this.#at === this.#rows.length) this.#settled();
    return row;
  }

  /** All remaining rows. */
  takeAll(): NativeValue[][] {
    this.#check();
    if (this.#state === 'deferred') this.#collect();
    if (this.#state === 'standing') return this.#stepToEnd();
    // The caller may keep the array and change it.
    const rows = this.#at === 0 && this.#rows !== noRows ? this.#rows : this.#rows.slice(this.#at);
    this.#end();
    return rows;
  }

  /** The only remaining row. If there are more, they are discarded. */
  takeOne(): NativeValue[] {
    const row = this.take();
    if (row === undefined) throw new Error('Expected exactly one result from SQL query, but got no results.');
    const more = this.#state === 'standing' || this.#at < this.#rows.length;
    this.#end();
    if (more) throw new Error('Expected exactly one result from SQL query, but got multiple results.');
    return row;
  }

  /** Called before anything else happens to the database: brings the run to its next row. Never throws. */
  settle(): void {
    this.#settled();
    if (this.#state !== 'deferred' && this.#at >= this.#rows.length) return;
    const taken = this.#at;
    try {
      this.#stand();
      for (let step = 0; step < taken; step++) this.#step();
    } catch (error) {
      this.#state = 'failed';
      this.#error = error;
    }
  }

  /** Discards the remaining rows. */
  abandon(): void {
    this.#end();
  }

  /** Discards the remaining rows; a reader that asks for one gets the error. */
  cancel(error: Error): void {
    this.#end();
    this.#state = 'failed';
    this.#error = error;
  }

  countRows(): RowCounts {
    if (this.#state === 'deferred' || this.#host.unsettled === this) this.settle();
    const counts = this.statement.countRows({
      ...this.statement.countersOf(this),
      rows: this.#stepped,
      changes: this.#changes,
      totalChanges: this.#totalChanges,
      suspended: this.#suspended,
      countValue: () => Number(this.#firstValue),
    });
    // Every row that RETURNING returns is one more read; rows not yet returned do not count yet.
    const early = this.statement.writes ? Math.max(0, this.#rows.length - this.#at - 1) : 0;
    return { read: counts.read - early, written: counts.written };
  }

  #start(): void {
    const { statement } = this;
    if (statement.columnNames.length === 0 || statement.writes) {
      this.#write();
    } else if (this.#program?.deferrable === true && this.#hasIntegers(this.#program.integerParameters)) {
      this.#state = 'deferred';
      this.#host.unsettled = this;
    } else if (this.#program?.singleRow === true) {
      this.#collect();
      if (this.#rows.length > 0) this.#host.unsettled = this;
    } else {
      this.#stand();
    }
  }

  #hasIntegers(parameters: readonly number[]): boolean {
    return parameters.every((at) => Number.isSafeInteger(this.#values[at]));
  }

  /** Runs a statement that changes something or has no result to its end. */
  #write(): void {
    const { statement } = this;
    const host = this.#host;
    // Without triggers the total equals the direct changes; before the second run nothing is known about triggers.
    const countsTotal = statement.writes && (this.#program?.callsPrograms ?? true);
    const before = countsTotal ? host.totalChanges() : 0;
    host.enter(statement);
    try {
      statement.begin(this);
      if (statement.columnNames.length === 0) {
        this.#changes = statement.run(this.#values);
      } else {
        this.#rows = statement.all(this.#values, { bigInts: true });
        this.#changes = this.#stepped = this.#rows.length;
        this.#state = 'collected';
      }
    } catch (error) {
      throw host.fail(error);
    } finally {
      host.leave();
    }
    this.#totalChanges = countsTotal ? host.totalChanges() - before : this.#changes;
    // Only INSERT, UPDATE and DELETE set the number of changes: after any other statement it is outdated.
    if (!statement.writes || this.#totalChanges === 0) this.#changes = this.#totalChanges = 0;
    // A statement refers to its last run until the next one, and values may be large.
    this.#values = noValues;
  }

  /** Runs a read to its end and keeps the rows. */
  #collect(): void {
    const { statement } = this;
    this.#settled();
    this.#host.enter(this.statement);
    try {
      statement.begin(this);
      this.#rows = this.#readAll();
    } catch (error) {
      this.#end();
      throw this.#host.fail(error);
    } finally {
      this.#host.leave();
    }
    this.#stepped = this.#rows.length;
    this.#firstValue = this.#rows[0]?.[0] ?? null;
    this.#state = 'collected';
  }

  #readAll(): NativeValue[][] {
    const { statement } = this;
    try {
      return statement.all(this.#values, { bigInts: statement.givesLargeIntegers });
    } catch (error) {
      if (!isIntegerTooLarge(error)) throw error;
      // A read can be repeated.
      statement.givesLargeIntegers = true;
      statement.begin(this);
      return statement.all(this.#values, { bigInts: true });
    }
  }

  /** Runs up to the first row and stays there. */
  #stand(): void {
    const { statement } = this;
    this.#rows = noRows;
    this.#at = 0;
    this.#stepped = 0;
    this.#host.enter(this.statement);
    try {
      statement.begin(this);
      this.#iterator = statement.iterate(this.#values);
    } catch (error) {
      this.#end();
      throw this.#host.fail(error);
    } finally {
      this.#host.leave();
    }
    this.#state = 'standing';
    this.#host.hold(this);
    this.#step();
  }

  /** Fetches the remaining rows, however many, without interruption. */
  #stepToEnd(): NativeValue[][] {
    const rows: NativeValue[][] = [];
    this.#host.enter(this.statement);
    try {
      while (this.#ahead !== undefined) {
        rows.push(this.#ahead);
        this.#advance();
      }
    } finally {
      this.#host.leave();
    }
    return rows;
  }

  /** Fetches the next row before it is requested. */
  #step(): void {
    this.#host.enter(this.statement);
    try {
      this.#advance();
    } finally {
      this.#host.leave();
    }
  }

  #advance(): void {
    assert(this.#iterator !== undefined, 'a standing run has an iterator');
    let result: IteratorResult<NativeValue[]>;
    try {
      result = this.#iterator.next();
    } catch (error) {
      this.#end();
      throw this.#host.fail(error);
    }
    this.#suspended = result.done !== true;
    if (result.done === true) {
      this.#end();
      return;
    }
    this.#ahead = result.value;
    if (++this.#stepped === 1) this.#firstValue = result.value[0] ?? null;
  }

  #prepareToTake(): void {
    this.#check();
    if (this.#state !== 'deferred') return;
    if (this.#program?.singleRow === true || this.statement.rowsSeenMax <= gatheredRowsMax) {
      this.#collect();
      // The unread rows were fetched early.
      if (this.#rows.length > 1) this.#host.unsettled = this;
    } else {
      this.#settled();
      this.#stand();
    }
  }

  #check(): void {
    const open = this.#state === 'deferred' || this.#at < this.#rows.length;
    if (open && this.#generation.canceled !== undefined) throw new Error(this.#generation.canceled);
    if (this.#state === 'failed') throw this.#error;
  }

  #end(): void {
    this.#settled();
    const stood = this.#state === 'standing';
    this.statement.rowsSeenMax = Math.max(this.statement.rowsSeenMax, this.#stepped);
    this.#state = 'over';
    this.#rows = noRows;
    this.#at = 0;
    this.#ahead = undefined;
    // A statement refers to its last run until the next one, and values may be large.
    this.#values = noValues;
    if (!stood) return;
    this.#iterator?.return?.();
    this.#iterator = undefined;
    this.#host.letGo(this);
  }

  #settled(): void {
    if (this.#host.unsettled === this) this.#host.unsettled = undefined;
  }
}

import { WorkName } from '#work';
import type { ExplainRow } from '../row-counts/bytecode.ts';
import { type Observed, RowCounter } from '../row-counts/row-counter.ts';
import type { StatementSync } from './native-statement.ts';
import type { BoundValue } from '../bindings.ts';
import { type Counter, type StatementProgram, analyzeProgram } from './program.ts';
import { type BuildRow, type NativeValue, rowBuilder } from '../rows.ts';

/** SQLite's counters for a run of a statement. */
export type Counters = Record<'vmStep' | Counter, number>;

/** The run to which the counters belong until the next run. */
export interface CounterOwner {
  counters: Counters | undefined;
}

interface StatementOptions {
  readonly sql: string;
  readonly handle: StatementSync;
  readonly explain: () => ExplainRow[];
  readonly explainable: boolean;
  readonly parameterCount: number;
  readonly parameterNames: ReadonlyMap<string, number>;
  readonly writes: boolean;
  readonly changesSchema: boolean;
  readonly readsChanges: boolean;
  readonly setsDeferral: boolean;
  readonly reusable: boolean;
  readonly schemaVersion: number;
}

const allCounters: readonly Counter[] = ['fullscanStep', 'sort', 'autoindex', 'filterHit', 'filterMiss'];

/**
 * A compiled statement and what is known about it.
 *
 * SQLite's counters only ever grow, and reading one costs a small part of a point read. So the end of a run does not
 * read them: they are read when the object's code asks, or when the next run begins, and then only those that the
 * program can increment.
 */
export class Statement {
  readonly sql: string;
  /** Recorded as current work while it runs. */
  readonly work: WorkName;
  readonly columnNames: string[];
  readonly buildRow: BuildRow;
  readonly parameterCount: number;
  /** It may write: the owner's transaction must be open before it runs. */
  readonly writes: boolean;
  readonly changesSchema: boolean;
  readonly readsChanges: boolean;
  readonly setsDeferral: boolean;
  readonly reusable: boolean;
  /** The schema it was compiled for, in the runner's own numbering. */
  readonly schemaVersion: number;
  /** Finalizes the statement without further effect; references only SQLite's part of it. */
  readonly finalize: () => void;
  /** When it was last taken from the cache, in the cache's own numbering. */
  lastUse = 0;
  /** The most rows that one of its runs has returned. */
  rowsSeenMax = 0;
  /**
   * Whether the row counts of the next run may be requested. They cannot be when more statements follow in the same
   * text.
   */
  isCounted = true;
  /** It has returned integers that a number cannot represent exactly. */
  givesLargeIntegers = false;

  readonly #handle: StatementSync;
  readonly #explain: () => ExplainRow[];
  readonly #explainable: boolean;
  readonly #parameterNames: ReadonlyMap<string, number>;
  #uses = 0;
  #program: StatementProgram | undefined;
  #rowCounter: RowCounter | undefined;
  #readsBigInts = false;
  #owner: CounterOwner | undefined;
  #base: Counters = noCounters();

  constructor(options: StatementOptions) {
    this.sql = options.sql;
    this.work = new WorkName(options.sql);
    this.parameterCount = options.parameterCount;
    this.writes = options.writes;
    this.changesSchema = options.changesSchema;
    this.readsChanges = options.readsChanges;
    this.setsDeferral = options.setsDeferral;
    this.reusable = options.reusable;
    this.schemaVersion = options.schemaVersion;
    this.finalize = finalizer(options.handle);
    this.#handle = options.handle;
    this.#explain = options.explain;
    this.#explainable = options.explainable;
    this.#parameterNames = options.parameterNames;
    this.columnNames = options.handle.columns().map(({ name }) => name);
    this.buildRow = rowBuilder(this.columnNames);
    options.handle.setReturnArrays(true);
    options.handle.setAllowBareNamedParameters(false);
  }

  /**
   * Called once for each `exec`, before anything else. Returns what is known about the program: nothing at the first
   * use, which is often the only one.
   */
  use(): StatementProgram | undefined {
    this.#uses++;
    if (this.#uses === 2 && this.#explainable) this.#program = analyzeProgram(this.#explain());
    // Once it has run, a statement that creates a table can no longer be explained.
    if (this.changesSchema && this.#explainable && this.isCounted)
      this.#rowCounter ??= this.#countRowsAsOfNow();
    this.isCounted = true;
    return this.#program;
  }

  /** Begins a run that belongs to `owner`. */
  begin(owner: CounterOwner): void {
    if (this.#owner !== undefined) this.#handOver(this.#owner);
    this.#owner = owner;
  }

  run(values: BoundValue[]): number {
    // Node also converts the rowid inserted last to a number, and throws if it is too large.
    this.#readBigInts(true);
    return Number(this.#handle.run(...this.#arrange(values)).changes);
  }

  all(values: BoundValue[], { bigInts }: { bigInts: boolean }): NativeValue[][] {
    this.#readBigInts(bigInts);
    return this.#handle.all(...this.#arrange(values)) as unknown as NativeValue[][];
  }

  iterate(values: BoundValue[]): Iterator<NativeValue[]> {
    this.#readBigInts(true);
    return this.#handle.iterate(...this.#arrange(values)) as unknown as Iterator<NativeValue[]>;
  }

  countersOf(owner: CounterOwner): Counters {
    return (owner === this.#owner ? this.#readCounters() : owner.counters) ?? noCounters();
  }

  /** Pragmas and EXPLAIN count no rows. */
  countRows(observed: Observed): { read: number; written: number } {
    if (!this.#explainable) return { read: 0, written: 0 };
    this.#rowCounter ??= new RowCounter(this.#explain);
    try {
      return this.#rowCounter.count(observed);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_INVALID_STATE') throw error;
      // The database was closed before the counts were requested, so the program can no longer be explained.
      return { read: observed.rows, written: observed.changes };
    }
  }

  close(): void {
    if (this.#owner !== undefined) this.#handOver(this.#owner);
    this.#owner = undefined;
    this.finalize();
  }

  #countRowsAsOfNow(): RowCounter {
    const rows = this.#explain();
    return new RowCounter(() => rows);
  }

  #handOver(owner: CounterOwner): void {
    const counters = this.#readCounters();
    owner.counters = counters;
    this.#base.vmStep += counters.vmStep;
    for (const name of this.#program?.counters ?? allCounters) this.#base[name] += counters[name];
  }

  #readCounters(): Counters {
    const counters = noCounters();
    counters.vmStep = this.#handle.stat('vmStep') - this.#base.vmStep;
    for (const name of this.#program?.counters ?? allCounters) {
      counters[name] = this.#handle.stat(name) - this.#base[name];
    }
    return counters;
  }

  #readBigInts(enabled: boolean): void {
    if (this.#readsBigInts === enabled) return;
    this.#handle.setReadBigInts(enabled);
    this.#readsBigInts = enabled;
  }

  /** Node expects parameters with names by their names, before those without. */
  #arrange(values: BoundValue[]): BoundValue[] {
    if (this.#parameterNames.size === 0) return values;
    const named: Record<string, BoundValue> = {};
    const taken = new Set<number>();
    for (const [name, number] of this.#parameterNames) {
      named[name] = values[number - 1]!;
      taken.add(number);
    }
    const others = values.filter((_, at) => !taken.has(at + 1));
    return [named as unknown as BoundValue, ...others];
  }
}

function finalizer(handle: StatementSync): () => void {
  return () => handle.close();
}

function noCounters(): Counters {
  return { vmStep: 0, fullscanStep: 0, sort: 0, autoindex: 0, filterHit: 0, filterMiss: 0 };
}

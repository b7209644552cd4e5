/**
 * `rowsRead` and `rowsWritten` as workerd counts them.
 *
 * workerd patches SQLite to count in some of its instructions. Plain SQLite does not, but it reports how many
 * instructions ran in all, how many were steps of a full scan, how many rows were returned; and EXPLAIN shows the
 * program. A run is a path through that program, so the counters are sums over the path, and so are the rows. The
 * search looks for whole-number paths that fit the known sums: if all of them agree the answer is exact. If they do
 * not, or the search would take too long, the answer is the likeliest one and is marked as not exact.
 *
 * ```ts
 * const counter = new RowCounter(() => explain.all());
 * const { read, written } = counter.count(observed);
 * ```
 */
import { type ExplainRow, type Bytecode, splitPrograms } from './bytecode.ts';
import { explainRowsMax } from './limits.ts';
import { type CountAnswer, type KnownTallies, StatementModel } from './statement-model.ts';
import { tally } from './tallies.ts';

/** What SQLite reports about a run, counted from its start. */
export interface Observed {
  readonly vmStep: number;
  readonly fullscanStep: number;
  readonly sort: number;
  readonly autoindex: number;
  readonly filterHit: number;
  readonly filterMiss: number;
  /** Rows stepped to so far, including the one fetched ahead. */
  readonly rows: number;
  /** The value of `changes()` for this statement, and the increase of `total_changes()`. */
  readonly changes: number;
  readonly totalChanges: number;
  /** The statement is on a row, or was closed there. Otherwise it has run to its end. */
  readonly suspended: boolean;
  /** The first value of the only row; called if the statement is a plain `count(*)`. */
  readonly countValue?: () => number;
}

export interface RowCounts {
  readonly read: number;
  readonly written: number;
  readonly readExact: boolean;
  readonly writtenExact: boolean;
}

/** Counts for one prepared statement; it caches its results for as long as the statement is cached. */
export class RowCounter {
  readonly #explain: () => ExplainRow[];
  #model: StatementModel | 'notRead' | undefined = 'notRead';
  #last: { readonly key: string; readonly counts: RowCounts } | undefined;

  /** `explain` is called at the first count, so not at all for most statements. */
  constructor(explain: () => ExplainRow[]) {
    this.#explain = explain;
  }

  count(observed: Observed): RowCounts {
    if (this.#model === 'notRead') this.#model = StatementModel.build(readPrograms(this.#explain()));
    if (this.#model === undefined) return estimate(observed);
    const known = listKnown(observed, this.#model);
    const key = `${observed.suspended} ${observed.totalChanges} ${known.join(' ')}`;
    // Runs of a statement that reads or writes one row are all alike.
    if (this.#last?.key !== key) this.#last = { key, counts: explainRun(observed, known, this.#model) };
    return this.#last.counts;
  }
}

function explainRun(observed: Observed, known: KnownTallies, model: StatementModel): RowCounts {
  const answers = model.solve(known, [tally.read, tally.written, tally.seekEnd], !observed.suspended);
  if (answers === undefined) return estimate(observed);
  const [read, written, appends] = answers as [CountAnswer, CountAnswer, CountAnswer];
  const total = addIndexBuild(read, appends);
  const [readExact, writtenExact] = [total.exact && model.isUnderstood, written.exact && model.isUnderstood];
  return { read: total.value, written: written.value, readExact, writtenExact };
}

/** Empty if the programs are too long to analyse, or not what EXPLAIN lists. */
function readPrograms(rows: readonly ExplainRow[]): Bytecode[] {
  const programs = rows.length > explainRowsMax ? [] : splitPrograms(rows);
  const isWhole = (program: Bytecode): boolean => program.every(({ addr }, index) => addr === index);
  return programs.every(isWhole) ? programs : [];
}

const counters = ['vmStep', 'fullscanStep', 'sort', 'autoindex', 'filterHit', 'filterMiss', 'rows'] as const;

function listKnown(observed: Observed, { answersCount, hidesChanges }: StatementModel): KnownTallies {
  const { changes, totalChanges, suspended, rows, countValue } = observed;
  const known: KnownTallies = counters.map((name) => [tally[name], observed[name]]);
  // Changes are reported when a statement ends.
  if (!suspended && hidesChanges === 'none') known.push([tally.totalChanges, totalChanges]);
  if (!suspended && hidesChanges !== 'all') known.push([tally.changes, changes]);
  if (answersCount && rows === 1 && countValue !== undefined) known.push([tally.counted, countValue()]);
  return known;
}

/** Index entries that certainly fit on one page, and how many usually do. */
const pageEntriesMin = 4;
const pageEntriesUsual = 409;

/** Building an index, the first two appends count as reads, and then two for each page that fills up. */
function addIndexBuild(read: CountAnswer, { value: entries, exact }: CountAnswer): CountAnswer {
  const pages = Math.ceil(entries / pageEntriesUsual);
  const extra = pages > 1 ? 2 * pages - 1 : Math.min(entries, 2);
  return { value: read.value + extra, exact: read.exact && exact && entries <= pageEntriesMin };
}

/** For a statement that cannot be explained: every row was read once, every change was a row written. */
function estimate({ rows, fullscanStep, sort, totalChanges }: Observed): RowCounts {
  const read = Math.max(rows, fullscanStep) + sort;
  return { read, written: totalChanges, readExact: false, writtenExact: false };
}

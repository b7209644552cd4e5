/**
 * `rowsRead` and `rowsWritten` as the original counts them.
 *
 * The original patches SQLite to count in some of its instructions. Plain SQLite does not, but it tells
 * how many instructions ran in all, how many were steps of a full scan, how many rows came out; and
 * EXPLAIN shows the program. A run is a path through that program, so what was counted are sums over
 * the path, and so are the rows. Often the sums that are known decide those that are asked for, once and
 * for all: then counting is a formula. Else whole-number paths that fit are looked for, and if all of
 * them agree the answer is exact as well. If they do not, or the search would take too long, the
 * answer is the most ordinary one and says that it is not exact.
 *
 * ```ts
 * const counter = new RowCounter(() => explain.all());
 * const { read, written } = counter.count(observed);
 * ```
 */
import type { VariableValues } from './row-counts/balances.ts';
import { type ExplainRow, type Program, splitPrograms } from './row-counts/explain.ts';
import { kindOfValue } from './row-counts/key-kinds.ts';
import { cellsTouchedMax, explainRowsMax, registersNamedMax } from './row-counts/limits.ts';
import { countRegisters } from './row-counts/registers.ts';
import { countReadsByRow, type RowHistory } from './row-counts/row-history.ts';
import type { Answer, Known } from './row-counts/section-solver.ts';
import { findKeyVariables } from './row-counts/seeks.ts';
import { StatementModel } from './row-counts/statement-model.ts';
import { tally } from './row-counts/tallies.ts';

export type { ExplainRow };

/** What SQLite tells about a run, counted from its start. */
export interface Observed {
  readonly vmStep: number;
  readonly fullscanStep: number;
  readonly sort: number;
  readonly autoindex: number;
  readonly filterHit: number;
  readonly filterMiss: number;
  /** Rows stepped to so far, the one fetched ahead included. */
  readonly rows: number;
  /** What `changes()` tells about this statement, and by how much `total_changes()` grew. */
  readonly changes: number;
  readonly totalChanges: number;
  /** The statement stands on a row, or was closed there. Otherwise it has run to its end. */
  readonly suspended: boolean;
  /** The first value of the only row: asked for where the statement is a plain `count(*)`. */
  readonly countValue?: () => number;
  /** Counters as they were on each row, from the first to the last: makes many more answers exact. */
  readonly history?: RowHistory;
  /** The values bound to the parameters, in order: makes answers about them exact. */
  readonly bindings?: readonly unknown[];
}

export interface RowCounts {
  readonly read: number;
  readonly written: number;
  readonly readExact: boolean;
  readonly writtenExact: boolean;
}

/** One for each choice of kinds of values for the parameters that are looked up. */
const modelsMax = 8;

/** Counts for one prepared statement; kept beside it, it remembers what it found out. */
export class RowCounter {
  readonly #explain: () => ExplainRow[];
  #programs: readonly Program[] | undefined;
  #keyVariables: readonly number[] | undefined;
  readonly #models = new Map<string, StatementModel | undefined>();

  /** EXPLAIN is asked for at the first count, so not at all for most statements. */
  constructor(explain: () => ExplainRow[]) {
    this.#explain = explain;
  }

  count(observed: Observed): RowCounts {
    const model = this.#model(observed.bindings ?? []);
    const budget = { cells: cellsTouchedMax };
    const solver = model?.solver({ kind: 'whole', to: observed.suspended ? 'row' : 'end' });
    if (model === undefined || solver === undefined || typeof solver === 'string') return estimate(observed);
    const known = listKnown(observed, model);
    const targets = [tally.read, tally.written, tally.seekEnd];
    const variables = readVariables(observed.bindings ?? []);
    const answers = solver.solve(known, targets, variables, !observed.suspended, budget);
    if (typeof answers === 'string') return estimate(observed);
    const [read, written, seekEnds] = answers as [Answer, Answer, Answer];
    const better = read.exact ? read : this.#refine(model, observed, read);
    const total = addIndexBuild(better, seekEnds);
    return {
      read: total.value,
      written: written.value,
      readExact: total.exact && model.isUnderstood,
      writtenExact: written.exact && model.isUnderstood,
    };
  }

  #model(bindings: readonly unknown[]): StatementModel | undefined {
    this.#programs ??= splitPrograms(this.#explain());
    const programs = this.#programs;
    if (!isReasonable(programs)) return undefined;
    this.#keyVariables ??= findKeyVariables(programs);
    const kinds = new Map(this.#keyVariables.map((index) => [index, kindOfValue(bindings[index - 1])]));
    const key = [...kinds.values()].join(' ');
    if (!this.#models.has(key)) {
      if (this.#models.size >= modelsMax) this.#models.clear();
      this.#models.set(key, StatementModel.build(programs, kinds));
    }
    return this.#models.get(key);
  }

  #refine(model: StatementModel, observed: Observed, read: Answer): Answer {
    const { history, rows } = observed;
    if (history === undefined || rows === 0 || history.vmStep.length !== rows) return read;
    const byRow = countReadsByRow(model, history, observed, { cells: cellsTouchedMax });
    return byRow?.exact === true ? byRow : read;
  }
}

function isReasonable(programs: readonly Program[]): boolean {
  const rows = programs.reduce((sum, program) => sum + program.length, 0);
  if (rows === 0 || rows > explainRowsMax) return false;
  if (programs.some((program) => program.some(({ addr }, index) => addr !== index))) return false;
  return programs.reduce((sum, program) => sum + countRegisters(program), 0) <= registersNamedMax;
}

function listKnown(observed: Observed, model: StatementModel): Known {
  const pairs: [number, number][] = [
    [tally.steps, observed.vmStep],
    [tally.fullscan, observed.fullscanStep],
    [tally.sort, observed.sort],
    [tally.autoindex, observed.autoindex],
    [tally.filterHit, observed.filterHit],
    [tally.filterMiss, observed.filterMiss],
    [tally.rows, observed.rows],
  ];
  // Changes are announced when a statement ends.
  if (!observed.suspended) {
    if (model.hidesChanges === 'none') pairs.push([tally.changesAll, observed.totalChanges]);
    if (model.hidesChanges !== 'all') pairs.push([tally.changesOwn, observed.changes]);
  }
  if (model.answersCount && observed.rows === 1 && observed.countValue !== undefined) {
    pairs.push([tally.counted, observed.countValue()]);
  }
  return { tallies: pairs.map(([index]) => index), values: pairs.map(([, value]) => value) };
}

function readVariables(bindings: readonly unknown[]): VariableValues {
  return (index) => {
    const value = bindings[index - 1];
    return kindOfValue(value) === 'integer' ? Number(value) : undefined;
  };
}

/** Entries of an index that surely fit on one page, and how many usually do. */
const pageEntriesMin = 4;
const pageEntriesUsual = 409;

/** Building an index, the first two appends count as reads, and then two for each page that fills up. */
function addIndexBuild(read: Answer, { value: entries, exact }: Answer): Answer {
  const pages = Math.ceil(entries / pageEntriesUsual);
  const extra = pages > 1 ? 2 * pages - 1 : Math.min(entries, 2);
  return { value: read.value + extra, exact: read.exact && exact && entries <= pageEntriesMin };
}

/** For what cannot be explained: every row was read once, every change was a row written. */
function estimate({ rows, fullscanStep, sort, totalChanges }: Observed): RowCounts {
  const read = Math.max(rows, fullscanStep) + sort;
  return { read, written: totalChanges, readExact: false, writtenExact: false };
}

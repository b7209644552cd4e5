/** The counting rule: what each way out of an instruction adds to SQLite's counters and to the rows. */
import { type ExplainRow, isSeek, type Bytecode } from './bytecode.ts';
import type { ProgramPlace, Way } from './walk.ts';

/** What ways add to. SQLite reports the sums of the first ones. Stores append their own. */
export const tally = {
  vmStep: 0,
  fullscanStep: 1,
  sort: 2,
  autoindex: 3,
  filterHit: 4,
  filterMiss: 5,
  rows: 6,
  /** Made by the statement itself; `totalChanges` also includes those of its triggers and foreign key actions. */
  changes: 7,
  totalChanges: 8,
  /** Entries counted by the one `count(*)` whose value is the result. */
  counted: 9,
  read: 10,
  written: 11,
  /** Appends to an index being built, whose cost depends on the pages it fills. */
  seekEnd: 12,
  /** How unlikely the path is: decides between runs that fit equally well. */
  surprise: 13,
} as const;

export const talliesFixed = 14;

/** The cost of a path that adds these weights: of two equally surprising paths, the one that does less is likelier. */
export function priceOf(weights: Float64Array): number {
  return weights[tally.surprise]! + 0.5 * (weights[tally.read]! + weights[tally.written]!);
}

const countsAsChange = 0x01;
/** `Insert` and `Delete` with this flag only call the preupdate hook and change nothing. */
const touchesNothing = 0x40;
const stepOpcode = /^(Next|Prev|SorterNext)$/;
/** The counter that a step increments, by its last operand. */
const stepCounters = [undefined, tally.fullscanStep, tally.sort, tally.autoindex];

/**
 * Adds what a way out of a place of a program counts. `counted` are the instructions that count, one by one or all at
 * once, the result of a plain `SELECT count(*) …`.
 */
export function addTallies(
  place: ProgramPlace,
  via: Way['via'],
  lines: Bytecode,
  counted: ReadonlySet<ExplainRow>,
  weights: Float64Array,
): void {
  const { op, program, transient } = place;
  const { opcode, p2, p5 } = op;
  const count = (...indexes: readonly number[]): void => indexes.forEach((index) => (weights[index]! += 1));
  const changes = program === 0 ? [tally.totalChanges, tally.changes] : [tally.totalChanges];
  if (via === 'repeat') {
    if (opcode === 'Clear') return count(tally.written, ...changes);
    return count(tally.read, counted.has(op) ? tally.counted : tally.surprise);
  }
  count(tally.vmStep);
  weights[tally.surprise]! += surpriseOf(place, via, lines);
  if (isRead(opcode, via)) count(tally.read);
  if (opcode === 'ResultRow') count(tally.rows);
  if (opcode === 'Sort' || opcode === 'SorterSort') count(tally.sort);
  if (opcode === 'Filter') count(via === 'jump' ? tally.filterHit : tally.filterMiss);
  if (opcode === 'AggStep' && counted.has(op)) count(tally.counted);
  if (opcode === 'SeekEnd') count(tally.seekEnd);
  const stepCounter = stepOpcode.test(opcode) && via === 'jump' ? stepCounters[p5] : undefined;
  if (stepCounter !== undefined) count(stepCounter);
  if (opcode === 'VUpdate') count(tally.written, ...(program === 0 ? [tally.changes] : []));
  if (!/^(Insert|IdxInsert|Delete)$/.test(opcode)) return;
  const flags = opcode === 'Delete' ? p2 : p5;
  const isChange = (flags & countsAsChange) !== 0;
  const touches = opcode === 'IdxInsert' || (flags & touchesNothing) === 0;
  if (!transient && touches && (isChange || opcode !== 'Delete')) count(tally.written);
  if (isChange) count(...changes);
}

/** How unusual a way is; calibrated against workerd on about a hundred statements. */
function surpriseOf({ op, transient }: ProgramPlace, via: Way['via'], lines: Bytecode): number {
  const { opcode, p1, p2, addr } = op;
  // Keys that are absent, or impossible.
  if (via === 'badKey') return 3;
  if (via === 'miss' || (via === 'jump' && isSeek(opcode))) return 1;
  // The test for NULL precedes a lookup; with a partial index, it precedes an insertion instead.
  if (via === 'jump' && opcode === 'IsNull' && lines[addr + 1]?.opcode !== 'IdxInsert') return 1;
  // A violated foreign key, though the statement succeeded.
  if (opcode === 'FkCounter' ? p2 > 0 : opcode === 'FkIfZero' && via === 'fall') return 4;
  if (/^(Next|Prev)$/.test(opcode) && via === 'fall') {
    // A step of a window function continues at the same place with or without a row; usually there is one.
    if (p2 === addr + 1) return 1;
    // The end of an index, where the range in it might have ended long before.
    return lines[p2]?.p1 === p1 && /^Idx[LG][TE]$/.test(lines[p2].opcode) ? 1 : 0;
  }
  // A sorter limited to the first few rows found a better one late.
  return transient && opcode === 'Delete' ? 1 : 0;
}

function isRead(opcode: string, via: Way['via']): boolean {
  if (stepOpcode.test(opcode)) return via === 'jump';
  if (isSeek(opcode)) return via === 'fall' || via === 'jump';
  return /^(NotExists|Rewind|Last|Sort|SorterSort|VNext)$/.test(opcode);
}

/** Empty unless the statement returns exactly one row whose first value is such a count. */
export function findCounted(program: Bytecode): Set<ExplainRow> {
  const [result, ...others] = program.filter(({ opcode }) => opcode === 'ResultRow');
  const [copy, after] = [program[(result?.addr ?? 0) - 1], program[(result?.addr ?? 0) + 1]];
  // Followed by the end of the program, the row is not part of a loop.
  if (others.length > 0 || after?.opcode !== 'Halt' || copy?.opcode !== 'Copy' || copy.p2 !== result?.p1)
    return new Set();
  const isStep = ({ opcode, p3, p4 }: ExplainRow): boolean =>
    opcode === 'AggStep' && p3 === copy.p1 && p4 === 'count(0)';
  return new Set(
    program.filter((op) => isStep(op) || (op.opcode === 'Count' && op.p2 === copy.p1 && op.p3 === 0)),
  );
}

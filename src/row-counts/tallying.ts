/** The rule: what each way out of an instruction adds to the counters of SQLite and to the rows. */
import { type Balance, talliesEach } from './balances.ts';
import type { ExplainRow, Program } from './explain.ts';
import { comparisonOpcodes, seekingOpcodes } from './opcodes.ts';
import { findExactSeeks } from './seeks.ts';
import { talliesFixed, tally } from './tallies.ts';
import type { Place, Way } from './walk.ts';

const countsAsChange = 0x01;
/** `Insert` and `Delete` with this flag only tell the preupdate hook and touch nothing. */
const touchesNothing = 0x40;
const steppingCounters = new Map([
  [1, tally.fullscan],
  [2, tally.sort],
  [3, tally.autoindex],
]);

export class Tallying {
  readonly #exactSeeks: ReadonlySet<ExplainRow>;
  readonly #rangeLoops: ReadonlySet<ExplainRow>;
  readonly #keyChecks: ReadonlySet<ExplainRow>;
  /** Deleting a row takes others with it, or at least looks for them. */
  readonly #cascades: boolean;
  readonly #counted: ReadonlySet<ExplainRow>;
  readonly #balances: readonly Balance[];

  constructor(programs: readonly Program[], counted: ReadonlySet<ExplainRow>, balances: readonly Balance[]) {
    this.#exactSeeks = new Set(programs.flatMap((program) => [...findExactSeeks(program)]));
    this.#rangeLoops = new Set(programs.flatMap(findRangeLoops));
    this.#keyChecks = new Set(programs.flatMap(findKeyChecks));
    this.#cascades = programs.some(looksForChildren);
    this.#counted = counted;
    this.#balances = balances;
  }

  /** What a way adds to each tally. */
  of(place: Place, way: Way): Int32Array {
    const weights = new Int32Array(talliesFixed + this.#balances.length * talliesEach);
    for (const index of this.#list(place, way)) weights[index]! += 1;
    for (const balance of this.#balances) {
      for (const [index, amount] of balance.of(place.op, way.via)) weights[index]! += amount;
    }
    return weights;
  }

  /** The tallies of the rule that a way adds one to, some of them perhaps twice. */
  #list(place: Place, way: Way): number[] {
    const { op } = place;
    if (way.via === 'repeat') return this.#turn(op, place.program);
    const tallies: number[] = [tally.steps];
    this.#tallyReads(op, way.via, tallies);
    tallyWrites(place, tallies);
    for (let surprise = this.#surpriseOf(place, way); surprise > 0; surprise--) tallies.push(tally.surprise);
    if (op.opcode === 'ResultRow') tallies.push(tally.rows);
    if (op.opcode === 'Sort' || op.opcode === 'SorterSort') tallies.push(tally.sort);
    if (op.opcode === 'Filter') tallies.push(way.via === 'jump' ? tally.filterHit : tally.filterMiss);
    if (op.opcode === 'AggStep' && this.#counted.has(op)) tallies.push(tally.counted);
    return tallies;
  }

  /** One row of a table that `Count` or `Clear` takes at once. */
  #turn(op: ExplainRow, program: number): number[] {
    if (op.opcode === 'Clear') return [tally.written, ...changes(program)];
    return this.#counted.has(op) ? [tally.read, tally.counted] : [tally.read, tally.surprise];
  }

  #tallyReads(op: ExplainRow, via: Way['via'], tallies: number[]): void {
    switch (op.opcode) {
      case 'SeekLT':
      case 'SeekLE':
      case 'SeekGE':
      case 'SeekGT':
        if (via === 'fall' || (via === 'jump' && !this.#exactSeeks.has(op))) tallies.push(tally.read);
        break;
      case 'SeekRowid':
        if (via !== 'stray') tallies.push(tally.read);
        break;
      case 'NotExists':
      case 'Rewind':
      case 'Last':
      case 'Sort':
      case 'SorterSort':
      case 'VNext':
        tallies.push(tally.read);
        break;
      case 'Next':
      case 'Prev':
      case 'SorterNext': {
        if (via !== 'jump') {
          // The end of an index, where the range within it might have ended long before.
          if (this.#rangeLoops.has(op)) tallies.push(tally.rangeEnds);
          break;
        }
        const counter = steppingCounters.get(op.p5);
        tallies.push(tally.read);
        if (counter !== undefined) tallies.push(counter);
        break;
      }
      case 'SeekEnd':
        tallies.push(tally.seekEnd);
        break;
    }
  }

  /** How far from the ordinary a way is; measured against the original on some hundred statements. */
  #surpriseOf({ op, transient }: Place, { via }: Way): number {
    // Keys that are not there, or cannot be.
    if (via === 'stray') return 3;
    if (via === 'jump' && (this.#keyChecks.has(op) || seekingOpcodes.has(op.opcode))) return 1;
    // A violated foreign key, though the statement succeeded.
    if (op.opcode === 'FkCounter' && op.p2 > 0 && !this.#cascades) return 4;
    if (op.opcode === 'FkIfZero' && via === 'fall' && !this.#cascades) return 4;
    // A step of a window function goes on the same way whether there was a row or not; mostly there is.
    if (op.opcode === 'Next' && op.p2 === op.addr + 1 && via === 'fall') return 1;
    // A better row found late for a sorter that keeps the first few only.
    return transient && op.opcode === 'Delete' ? 1 : 0;
  }
}

function tallyWrites({ op, program, transient }: Place, tallies: number[]): void {
  switch (op.opcode) {
    case 'Insert':
      if (!transient && (op.p5 & touchesNothing) === 0) tallies.push(tally.written);
      if ((op.p5 & countsAsChange) !== 0) tallies.push(...changes(program));
      break;
    case 'IdxInsert':
      if (!transient) tallies.push(tally.written);
      if ((op.p5 & countsAsChange) !== 0) tallies.push(...changes(program));
      break;
    case 'Delete':
      if ((op.p2 & countsAsChange) === 0) break;
      if (!transient && (op.p2 & touchesNothing) === 0) tallies.push(tally.written);
      tallies.push(...changes(program));
      break;
    case 'VUpdate':
      tallies.push(tally.written);
      if (program === 0) tallies.push(tally.changesOwn);
      break;
  }
}

function changes(program: number): number[] {
  return program === 0 ? [tally.changesAll, tally.changesOwn] : [tally.changesAll];
}

/** Steps to the next entry that come with a check whether the range, of index or table, goes on. */
function findRangeLoops(program: Program): Program {
  return program.filter(({ opcode, p1, p2 }) => {
    const [target, check] = [program[p2], program[p2 + 1]];
    if (!/^(Next|Prev)$/.test(opcode) || target?.p1 !== p1) return false;
    if (/^Idx(GT|GE|LT|LE)$/.test(target.opcode)) return true;
    return target.opcode === 'Rowid' && check?.p3 === target.p2 && comparisonOpcodes.has(check.opcode);
  });
}

function looksForChildren(program: Program): boolean {
  return program.some(
    ({ opcode, p2, addr }) => opcode === 'FkCounter' && p2 > 0 && program[addr + 1]?.opcode === 'Next',
  );
}

/** Checks that a key is not NULL before it is looked up; for a partial index, it is put in instead. */
function findKeyChecks(program: Program): Program {
  return program.filter(
    ({ opcode, addr }) => opcode === 'IsNull' && program[addr + 1]?.opcode !== 'IdxInsert',
  );
}

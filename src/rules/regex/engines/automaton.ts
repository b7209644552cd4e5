import { readBytes } from '#text';
import { spendSteps } from '#work';
import {
  bytesPerInstruction,
  bytesPerState,
  bytesPerStateMin,
  stepsPerNewState,
  stepsPerStateInstruction,
  tableEntriesMax,
} from '../limits.ts';
import { isAnchored, type PatternTree } from '../syntax/tree.ts';
import { BitWalker } from './bit-walker.ts';
import { type PositionBits, positionBitsFor } from './look-tables.ts';
import { compileProgram, op } from './program.ts';
import { type InstructionSet, noCategory, Stepper } from './stepper.ts';

interface AutomatonState {
  readonly instructions: Int32Array;
  /** Category of the previous byte. */
  readonly before: number;
}

/** Column values: an unknown state, and the two states that end a run. They are multiples of the row length. */
const unknown = 0;
const deadRow = 1;
const matchedRow = 2;

/**
 * Decides whether a pattern matches anywhere in a value, in one pass over its bytes: a deterministic automaton whose
 * states are sets of instructions, created on first use. The table is bounded; when hostile values fill it faster than
 * it helps, the sets are walked without it, so the work never exceeds the length of the value times the size of the
 * program. All of it is charged to the budget of the caller (`#base`): a run may end with `OutOfSteps` at any byte, and
 * the automaton stays valid for the next run.
 *
 * Assertions are resolved when a state is left, because then the bytes on both sides are known: so a state is the set
 * of instructions before they are resolved, and the previous byte.
 */
export class Automaton {
  readonly #stepper: Stepper;
  readonly #looks: PositionBits | undefined;
  readonly #lookShift: number;
  readonly #rowLength: number;
  readonly #endColumn: number;
  readonly #isAnchored: boolean;
  readonly #current: InstructionSet;
  readonly #next: InstructionSet;
  /** Created on first use. */
  #bits: { readonly walker: BitWalker | undefined } | undefined;
  /** By byte: whether it is known to lead from the first state back to the first state. */
  readonly #staysAtStart = new Uint8Array(256);
  #table: Int32Array;
  #states: AutomatonState[] = [];
  #rows = new Map<string, number>();
  #entries = 0;
  #stateBytes = 0;
  #startRow = unknown;

  constructor(tree: PatternTree) {
    const options = { backward: false, groupCount: 0, captures: false, backtracking: false };
    const program = compileProgram(tree, options);
    this.#stepper = new Stepper(program, { backward: false });
    this.#looks = positionBitsFor(program);
    this.#lookShift = program.looks.length + program.wordAssertions.length;
    this.#endColumn = this.#stepper.classCount << this.#lookShift;
    this.#rowLength = (this.#stepper.classCount + 1) << this.#lookShift;
    this.#isAnchored = isAnchored(tree);
    this.#current = this.#stepper.newSet();
    this.#next = this.#stepper.newSet();
    this.#table = new Int32Array(this.#rowLength * 8);
    this.#reset();
  }

  /** Instructions visited so far; every byte of a value costs one more. */
  get steps(): number {
    return this.#stepper.steps + (this.#looks?.steps ?? 0);
  }

  /** Approximate memory: most of it are the states that values have led to. */
  get bytes(): number {
    const { length } = this.#stepper.program.ops;
    return (
      this.#table.byteLength +
      this.#stateBytes +
      length * bytesPerInstruction +
      (this.#bits?.walker?.bytes ?? 0)
    );
  }

  test(value: string): boolean {
    // Two bytes that lead to known states take about a step, and finding words takes more than all of them.
    spendSteps(10 + (value.length >>> 1) + (this.#looks === undefined ? 0 : 4 * value.length));
    return this.#looks === undefined
      ? this.#run(value, undefined)
      : this.#run(value, this.#looks.bitsOf(value));
  }

  #run(value: string, lookBits: Uint8Array | undefined): boolean {
    const { classOf } = this.#stepper;
    const { length } = value;
    const bytes = readBytes(value);
    const specialMax = matchedRow * this.#rowLength;
    const shift = this.#lookShift;
    const staysAtStart = this.#staysAtStart;
    let table = this.#table;
    let row = this.#startRow;
    let resetAt = 0;
    if (row <= specialMax) return row === specialMax;
    for (let i = 0; i <= length; i++) {
      // Most bytes of most values stay in the first state: they are skipped without reading the table.
      if (row === this.#startRow) while (i < length && staysAtStart[bytes[i]!] === 1) i++;
      if (lookBits === undefined) {
        // The fast path for known states; the rest of the loop handles new states and the end.
        for (; i < length; i++) {
          const known = table[row + classOf[bytes[i]!]!]!;
          if (known <= specialMax) break;
          row = known;
        }
      }
      let column = i === length ? this.#endColumn : classOf[bytes[i]!]! << shift;
      if (lookBits !== undefined) column |= lookBits[i]!;
      let target = table[row + column]!;
      if (target <= specialMax) {
        if (target === unknown) {
          target = this.#follow(row, column);
          if (target === unknown) {
            // The table is full.
            if (i - resetAt < this.#states.length * bytesPerStateMin) {
              this.#bits ??= { walker: BitWalker.for(this.#stepper, this.#isAnchored) };
              return this.#bits.walker === undefined
                ? this.#walk(value, i, row, lookBits)
                : this.#bits.walker.walk(bytes, length, i, this.#stateOf(row), lookBits);
            }
            row = this.#restart(row);
            resetAt = i--;
            table = this.#table;
            continue;
          }
          table = this.#table;
        }
        if (target <= specialMax) return target === specialMax;
      }
      row = target;
    }
    return false;
  }

  /** The row that a column leads to, created if necessary; `unknown` if there is no room for it. */
  #follow(row: number, column: number): number {
    const stepper = this.#stepper;
    const state = this.#stateOf(row);
    const byteClass = column >>> this.#lookShift;
    const isEnd = byteClass === stepper.classCount;
    const { steps } = stepper;
    const after = isEnd ? noCategory : stepper.categoryOfClass[byteClass]!;
    const isMatch = this.#leave(state, after, column & ((1 << this.#lookShift) - 1));
    let target: number;
    if (isMatch) target = matchedRow * this.#rowLength;
    else if (isEnd) target = deadRow * this.#rowLength;
    else {
      this.#enter(byteClass);
      target = this.#rowOf(this.#next, after);
    }
    spendSteps(stepper.steps - steps);
    if (target === unknown) return unknown;
    this.#table[row + column] = target;
    if (row === this.#startRow && target === row && this.#looks === undefined) {
      for (let byte = 0; byte < 256; byte++) {
        if (stepper.classOf[byte] === byteClass) this.#staysAtStart[byte] = 1;
      }
    }
    return target;
  }

  /** Resolves the state's assertions in `#current`; returns true for a match. */
  #leave(state: AutomatonState, after: number, lookBits: number): boolean {
    const current = this.#current;
    current.clear();
    for (const instruction of state.instructions) this.#stepper.add(current, instruction);
    return this.#stepper.resolve(current, state.before, after, lookBits);
  }

  /** Moves from `#current` to `#next` over a byte. */
  #enter(byteClass: number): void {
    this.#next.clear();
    this.#stepper.advance(this.#current, this.#next, byteClass);
    if (!this.#isAnchored) this.#stepper.add(this.#next, this.#stepper.program.start);
  }

  #rowOf(set: InstructionSet, before: number): number {
    if (set.count === 0) return deadRow * this.#rowLength;
    const { ops } = this.#stepper.program;
    const instructions = set.list.subarray(0, set.count).toSorted();
    if (instructions.some((at) => ops[at] === op.match)) return matchedRow * this.#rowLength;
    // The previous byte matters only to unresolved assertions, including those after an unresolved look-around.
    const beforeKept = instructions.some((at) => ops[at] !== op.set) ? before : noCategory;
    const key = String.fromCharCode(beforeKept, ...instructions);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;

    const entries = this.#entries + this.#rowLength + instructions.length;
    if (entries > tableEntriesMax && this.#states.length > 1) return unknown;
    spendSteps(stepsPerNewState + instructions.length * stepsPerStateInstruction);
    this.#entries = entries;
    this.#stateBytes += bytesPerState + instructions.byteLength + 2 * key.length;
    const row = (matchedRow + 1 + this.#states.length) * this.#rowLength;
    this.#states.push({ instructions, before: beforeKept });
    this.#rows.set(key, row);
    if (row + this.#rowLength > this.#table.length) {
      const larger = new Int32Array(Math.max(row + this.#rowLength, this.#table.length * 2));
      larger.set(this.#table);
      this.#table = larger;
    }
    return row;
  }

  #stateOf(row: number): AutomatonState {
    return this.#states[row / this.#rowLength - matchedRow - 1]!;
  }

  #reset(): void {
    this.#table.fill(unknown);
    this.#staysAtStart.fill(0);
    this.#states = [];
    this.#rows = new Map();
    this.#entries = 0;
    this.#stateBytes = 0;
    this.#next.clear();
    this.#stepper.add(this.#next, this.#stepper.program.start);
    this.#startRow = this.#rowOf(this.#next, noCategory);
  }

  /** Empties the table and returns the row of the same state in the new one. */
  #restart(row: number): number {
    const state = this.#stateOf(row);
    spendSteps(this.#table.length >>> 4);
    this.#reset();
    this.#next.clear();
    for (const instruction of state.instructions) this.#stepper.add(this.#next, instruction);
    return this.#rowOf(this.#next, state.before);
  }

  /** Processes the rest of a value without the table. */
  #walk(value: string, from: number, row: number, lookBits: Uint8Array | undefined): boolean {
    const stepper = this.#stepper;
    let [current, next] = [this.#current, this.#next];
    let { before } = this.#stateOf(row);
    current.clear();
    for (const instruction of this.#stateOf(row).instructions) stepper.add(current, instruction);
    let charged = stepper.steps;
    for (let i = from; i <= value.length; i++) {
      spendSteps(stepper.steps - charged);
      charged = stepper.steps;
      const byte = i === value.length ? -1 : value.charCodeAt(i) & 0xff;
      const after = byte === -1 ? noCategory : stepper.categoryOf[byte]!;
      if (stepper.resolve(current, before, after, lookBits?.[i] ?? 0)) return true;
      if (byte === -1) break;
      next.clear();
      stepper.advance(current, next, stepper.classOf[byte]!);
      if (!this.#isAnchored) stepper.add(next, stepper.program.start);
      [current, next] = [next, current];
      before = after;
    }
    return false;
  }
}

import { spendSteps } from '#work';
import { bytesPerInstruction } from '../limits.ts';
import { isAnchored, type PatternTree } from '../syntax/tree.ts';
import { holdsBetween, noByte } from './conditions.ts';
import { type PositionBits, positionBitsFor } from './look-tables.ts';
import { compileProgram, op, type PatternProgram } from './program.ts';
import { InstructionSet } from './stepper.ts';

/**
 * Finds the leftmost match and its groups in one pass: all paths at once, ordered by preference, each with its saved
 * positions. It is slower than the automaton, which runs first, and never exceeds the length of the value times the
 * size of the program.
 */
export class Threads {
  readonly #program: PatternProgram;
  readonly #looks: PositionBits | undefined;
  readonly #isAnchored: boolean;
  readonly #current: ThreadList;
  readonly #next: ThreadList;
  /** Pending work while a thread is added: an instruction, or a slot to restore (negative) and its value. */
  readonly #stack: number[] = [];
  readonly #scratch: Int32Array;
  steps = 0;

  constructor(tree: PatternTree, groupCount: number) {
    const options = { backward: false, groupCount, captures: true, backtracking: false };
    this.#program = compileProgram(tree, options);
    this.#looks = positionBitsFor(this.#program);
    this.#isAnchored = isAnchored(tree);
    this.#current = new ThreadList(this.#program);
    this.#next = new ThreadList(this.#program);
    this.#scratch = new Int32Array(this.#program.slotCount);
  }

  /** Approximate memory. */
  get bytes(): number {
    const { ops, slotCount } = this.#program;
    return ops.length * (bytesPerInstruction + 8 * slotCount);
  }

  /** Start and end of the match and of each group, -1 for a group that did not participate. */
  match(value: string): Int32Array | undefined {
    const { ops, x, y, sets, start, slotCount } = this.#program;
    const lookBits = this.#looks?.bitsOf(value);
    let [current, next] = [this.#current, this.#next];
    let found: Int32Array | undefined;
    current.clear();
    let charged = this.steps;
    for (let i = 0; i <= value.length; i++) {
      // Each thread that is added copies its slots.
      spendSteps((this.steps - charged) * (1 + (slotCount >>> 2)) + 1);
      charged = this.steps;
      if (found === undefined && (i === 0 || !this.#isAnchored)) {
        this.#scratch.fill(-1);
        this.#add(current, start, value, i, lookBits);
      }
      if (current.count === 0 && (found !== undefined || this.#isAnchored)) break;
      const byte = i === value.length ? noByte : value.charCodeAt(i) & 0xff;
      next.clear();
      for (let t = 0; t < current.count; t++) {
        const at = current.list[t]!;
        this.steps++;
        const slots = current.slots.subarray(at * slotCount, (at + 1) * slotCount);
        if (ops[at] === op.match) {
          found = slots.slice();
          // The remaining threads are less preferred.
          break;
        }
        if (byte === noByte || !sets[x[at]!]!.has(byte)) continue;
        this.#scratch.set(slots);
        this.#add(next, y[at]!, value, i + 1, lookBits);
      }
      [current, next] = [next, current];
    }
    return found;
  }

  /** Adds the instruction and those it reaches without a byte, the preferred first; slots in `#scratch`. */
  #add(
    threads: ThreadList,
    instruction: number,
    value: string,
    position: number,
    lookBits?: Uint8Array,
  ): void {
    const { ops, x, y, assertions, slotCount } = this.#program;
    const [stack, slots] = [this.#stack, this.#scratch];
    const left = position === 0 ? noByte : value.charCodeAt(position - 1) & 0xff;
    const right = position === value.length ? noByte : value.charCodeAt(position) & 0xff;
    stack.push(instruction);
    while (stack.length > 0) {
      let at = stack.pop()!;
      if (at < 0) {
        slots[-1 - at] = stack.pop()!;
        continue;
      }
      while (threads.mark(at)) {
        this.steps++;
        const code = ops[at]!;
        if (code === op.split) {
          stack.push(y[at]!);
          at = x[at]!;
        } else if (code === op.save) {
          stack.push(slots[x[at]!]!, -1 - x[at]!);
          slots[x[at]!] = position;
          at = y[at]!;
        } else if (code === op.assert) {
          if (!holdsBetween(assertions[x[at]!]!, left, right)) break;
          at = y[at]!;
        } else if (code === op.look) {
          if (((lookBits![position]! >>> x[at]!) & 1) === 0) break;
          at = y[at]!;
        } else {
          threads.list[threads.count++] = at;
          threads.slots.set(slots, at * slotCount);
          break;
        }
      }
    }
  }
}

class ThreadList extends InstructionSet {
  readonly slots: Int32Array;

  constructor(program: PatternProgram) {
    super(program.ops.length);
    this.slots = new Int32Array(program.ops.length * program.slotCount);
  }
}

import { ByteSet, lineFeed, wordBytes } from '../syntax/byte-set.ts';
import { holdsBetween, noByte } from './conditions.ts';
import { op, type PatternProgram } from './program.ts';

/** The category of a missing byte. */
export const noCategory = 0;

/**
 * A set of instructions in the order in which they were added. Its fields are public because its users are hot loops.
 */
export class InstructionSet {
  readonly list: Int32Array;
  count = 0;
  /** How many of them do not take a byte: unresolved assertions and look-arounds, and an unreported match. */
  pending = 0;
  /** An instruction is in the set, or was followed, if its mark equals the generation. */
  readonly marks: Int32Array;
  generation = 1;

  constructor(size: number) {
    this.list = new Int32Array(size);
    this.marks = new Int32Array(size);
  }

  clear(): void {
    this.count = 0;
    this.pending = 0;
    this.generation++;
  }

  /** Returns false if it was marked already. */
  mark(instruction: number): boolean {
    if (this.marks[instruction] === this.generation) return false;
    this.marks[instruction] = this.generation;
    return true;
  }
}

/**
 * Runs a program on all its paths at once, a byte at a time. Bytes that no set and no assertion can distinguish share a
 * class; of the previous byte, only the category is kept that assertions need.
 */
export class Stepper {
  readonly program: PatternProgram;
  readonly classOf = new Uint8Array(256);
  readonly classCount: number;
  readonly categoryOf = new Uint8Array(256);
  /** By class. */
  readonly categoryOfClass: Uint8Array;
  /** Instructions visited so far: most of the cost. */
  steps = 0;
  readonly #categoryCount: number;
  /** By set and class. */
  readonly #accepts: Uint8Array;
  /** By instruction: the start of its set's row in `#accepts`. */
  readonly #setRows: Int32Array;
  /** By instruction: whether it takes a byte. */
  readonly #takers: Uint8Array;
  readonly #holds: Uint8Array;
  readonly #stack: Int32Array;

  constructor(program: PatternProgram, { backward }: { readonly backward: boolean }) {
    this.program = program;
    const asked = program.assertions.flatMap((assertion) =>
      typeof assertion === 'string' ? [lineFeed, ByteSet.of(0x0d), wordBytes] : [assertion.notNext],
    );
    this.#categoryCount = refine(this.categoryOf, asked) + 1;
    for (let byte = 0; byte < 256; byte++) this.categoryOf[byte]!++;
    this.classCount = refine(this.classOf, [...asked, ...program.sets]);

    const { classCount } = this;
    this.categoryOfClass = new Uint8Array(classCount);
    // The last row, which accepts nothing, is for instructions that take no byte.
    this.#accepts = new Uint8Array((program.sets.length + 1) * classCount);
    this.#takers = Uint8Array.from(program.ops, (code) => (code === op.set ? 1 : 0));
    this.#setRows = Int32Array.from(program.ops, (code, at) => {
      return (code === op.set ? program.x[at]! : program.sets.length) * classCount;
    });
    const representative = new Int16Array(this.#categoryCount).fill(noByte);
    const byteOfClass = new Uint8Array(classCount);
    for (let byte = 0; byte < 256; byte++) {
      const byteClass = this.classOf[byte]!;
      this.categoryOfClass[byteClass] = this.categoryOf[byte]!;
      representative[this.categoryOf[byte]!] = byte;
      byteOfClass[byteClass] = byte;
    }
    for (let index = 0; index < program.sets.length; index++) {
      const set = program.sets[index]!;
      for (let byteClass = 0; byteClass < classCount; byteClass++) {
        if (set.has(byteOfClass[byteClass]!)) this.#accepts[index * classCount + byteClass] = 1;
      }
    }
    const categories = this.#categoryCount;
    this.#holds = new Uint8Array(program.assertions.length * categories * categories);
    for (const [index, assertion] of program.assertions.entries()) {
      for (let before = 0; before < categories; before++) {
        for (let after = 0; after < categories; after++) {
          const [left, right] = backward ? [after, before] : [before, after];
          const holds = holdsBetween(assertion, representative[left]!, representative[right]!);
          this.#holds[(index * categories + before) * categories + after] = holds ? 1 : 0;
        }
      }
    }
    this.#stack = new Int32Array(program.ops.length + 1);
  }

  newSet(): InstructionSet {
    return new InstructionSet(this.program.ops.length);
  }

  /** Adds an instruction, and in place of splits and saves their targets. */
  add(set: InstructionSet, instruction: number): void {
    const { ops, x, y } = this.program;
    const stack = this.#stack;
    let depth = 0;
    let steps = 0;
    if (set.mark(instruction)) stack[depth++] = instruction;
    while (depth > 0) {
      const at = stack[--depth]!;
      steps++;
      const code = ops[at]!;
      if (code === op.split || code === op.save) {
        if (set.mark(y[at]!)) stack[depth++] = y[at]!;
        if (code === op.split && set.mark(x[at]!)) stack[depth++] = x[at]!;
      } else {
        set.list[set.count++] = at;
        if (code !== op.set) set.pending++;
      }
    }
    this.steps += steps;
  }

  /** Follows all assertions and look-arounds that hold here; returns true if this completes a match. */
  resolve(set: InstructionSet, before: number, after: number, lookBits: number): boolean {
    if (set.pending === 0) return false;
    const { ops, y } = this.program;
    let isMatch = false;
    for (let i = 0; i < set.count; i++) {
      const at = set.list[i]!;
      const code = ops[at]!;
      if (code === op.set) continue;
      if (code === op.match) {
        isMatch = true;
        continue;
      }
      if (this.holds(at, before, after, lookBits)) this.add(set, y[at]!);
    }
    this.steps += set.count;
    return isMatch;
  }

  /** Whether an assertion or look-around holds here. */
  holds(at: number, before: number, after: number, lookBits: number): boolean {
    const { ops, x } = this.program;
    if (ops[at] === op.look) return ((lookBits >>> x[at]!) & 1) === 1;
    return this.#holds[(x[at]! * this.#categoryCount + before) * this.#categoryCount + after] === 1;
  }

  /** Whether an instruction takes bytes of the class. */
  accepts(at: number, byteClass: number): boolean {
    return this.#accepts[this.#setRows[at]! + byteClass] === 1;
  }

  /** Adds to `to` the targets of `from` for a byte of the class. */
  advance(from: InstructionSet, to: InstructionSet, byteClass: number): void {
    const [accepts, setRows, takers, next] = [this.#accepts, this.#setRows, this.#takers, this.program.y];
    const { list, count } = from;
    const { list: toList, marks, generation } = to;
    let toCount = to.count;
    for (let i = 0; i < count; i++) {
      const at = list[i]!;
      if (accepts[setRows[at]! + byteClass] === 0) continue;
      const target = next[at]!;
      if (marks[target] === generation) continue;
      if (takers[target] === 1) {
        marks[target] = generation;
        toList[toCount++] = target;
      } else {
        to.count = toCount;
        this.add(to, target);
        toCount = to.count;
      }
    }
    to.count = toCount;
    this.steps += count;
  }
}

/**
 * Numbers the bytes so that two of them share a number only if no set distinguishes them. Returns the count of numbers.
 */
function refine(numbers: Uint8Array, sets: readonly ByteSet[]): number {
  let count = 1;
  const renumbered = new Int16Array(512);
  for (const set of new Map(sets.map((each) => [each.key, each])).values()) {
    renumbered.fill(-1);
    count = 0;
    for (let byte = 0; byte < 256; byte++) {
      const key = numbers[byte]! * 2 + (set.has(byte) ? 1 : 0);
      if (renumbered[key] === -1) renumbered[key] = count++;
      numbers[byte] = renumbered[key]!;
    }
    if (count === 256) break;
  }
  return count;
}

import { spendSteps } from '#work';
import { stepsPerWord, wordsPerInstructionMax } from '../limits.ts';
import { op } from './program.ts';
import { type InstructionSet, noCategory, type Stepper } from './stepper.ts';

/** Some bits of a set: pairs of a word's index and the bits in it. */
type Bits = Int32Array;

/**
 * The common targets of several instructions, apart from their neighbours: it is enough that one of the instructions
 * takes the byte.
 */
interface Jump {
  readonly targets: Bits;
  /** The step in which the targets were last added. */
  servedIn: number;
}

/** Memory per instruction besides its bits: its number, its entry in a map. */
const bytesPerStop = 48;

/**
 * Walks a value with sets of instructions like the `Stepper`, but 32 instructions at a time. An unrolled repetition is
 * a chain: each instruction leads to its neighbour, so that the whole chain advances by a shift. All other edges lead
 * from many instructions to the same few, and are followed once per byte.
 *
 * Bit `i` represents the instruction `#stops[i]`: one that takes a byte, asserts, or matches.
 */
export class BitWalker {
  readonly #stepper: Stepper;
  readonly #reached: InstructionSet;
  readonly #stops: readonly number[];
  readonly #bitOf = new Map<number, number>();
  readonly #wordCount: number;
  /** By class and word: the instructions that take a byte of the class. */
  readonly #accepts: Int32Array;
  /** By word: the instructions that lead to their neighbour, and those that lead elsewhere. */
  readonly #chained: Int32Array;
  readonly #jumping: Int32Array;
  /** By word: the edges that leave it. */
  readonly #jumps: ReadonlyArray<Array<{ readonly from: number; readonly jump: Jump }>>;
  /** By bit: the targets of an assertion that holds. */
  readonly #behind = new Map<number, Bits>();
  readonly #pending: Int32Array;
  readonly #pendingWords: number[] = [];
  /** The instructions that start again at every byte. */
  readonly #start: Bits;
  /** Words read per byte in the worst case. */
  #workPerByte: number;
  #stepCount = 0;

  private constructor(stepper: Stepper, isAnchored: boolean) {
    const { ops, start } = stepper.program;
    this.#stepper = stepper;
    this.#reached = stepper.newSet();
    this.#stops = [...ops.keys()].filter((at) => ops[at] !== op.split && ops[at] !== op.save);
    for (const [bit, at] of this.#stops.entries()) this.#bitOf.set(at, bit);
    this.#wordCount = (this.#stops.length + 31) >>> 5;
    this.#accepts = new Int32Array(stepper.classCount * this.#wordCount);
    this.#chained = new Int32Array(this.#wordCount);
    this.#jumping = new Int32Array(this.#wordCount);
    this.#pending = new Int32Array(this.#wordCount);
    this.#jumps = Array.from(this.#chained, () => []);
    this.#start = isAnchored ? new Int32Array() : this.#bitsOf(this.#reach(start));
    this.#workPerByte = this.#wordCount + this.#start.length;
  }

  /** `undefined` if single steps would be about as fast. */
  static for(
    stepper: Stepper,
    isAnchored: boolean,
    { wordsMax = wordsPerInstructionMax * stepper.program.ops.length } = {},
  ): BitWalker | undefined {
    const walker = new BitWalker(stepper, isAnchored);
    return walker.#connect(wordsMax) ? walker : undefined;
  }

  /** Approximate memory. */
  get bytes(): number {
    return this.#accepts.byteLength + 8 * this.#workPerByte + bytesPerStop * this.#stops.length;
  }

  /** Finds the edges of each instruction; returns false as soon as they are too many. */
  #connect(wordsMax: number): boolean {
    const { ops, y } = this.#stepper.program;
    const jumps = new Map<string, Jump>();
    for (const [bit, at] of this.#stops.entries()) {
      if (this.#workPerByte > wordsMax) return false;
      const [word, mask] = [bit >>> 5, 1 << (bit & 31)];
      if (ops[at] !== op.set) {
        if (this.#pending[word] === 0) this.#pendingWords.push(word);
        this.#pending[word]! |= mask;
        if (ops[at] === op.match) continue;
        const targets = this.#bitsOf(this.#reach(y[at]!));
        this.#behind.set(bit, targets);
        this.#workPerByte += targets.length;
      } else {
        for (let byteClass = 0; byteClass < this.#stepper.classCount; byteClass++) {
          if (this.#stepper.accepts(at, byteClass)) {
            this.#accepts[byteClass * this.#wordCount + word]! |= mask;
          }
        }
        this.#connectTaker(bit, this.#reach(y[at]!), jumps);
      }
    }
    return this.#workPerByte <= wordsMax;
  }

  #connectTaker(bit: number, reached: readonly number[], jumps: Map<string, Jump>): void {
    const [word, mask] = [bit >>> 5, 1 << (bit & 31)];
    if (reached.includes(bit - 1)) this.#chained[word]! |= mask;
    const elsewhere = reached.filter((target) => target !== bit - 1);
    if (elsewhere.length === 0) return;
    this.#jumping[word]! |= mask;
    const targets = this.#bitsOf(elsewhere);
    const key = targets.join();
    let jump = jumps.get(key);
    if (jump === undefined) {
      jump = { targets, servedIn: 0 };
      jumps.set(key, jump);
      this.#workPerByte += targets.length;
    }
    const ways = this.#jumps[word]!;
    const known = ways.findIndex((way) => way.jump === jump);
    if (known === -1) {
      ways.push({ from: mask, jump });
      this.#workPerByte++;
    } else ways[known] = { from: ways[known]!.from | mask, jump };
  }

  /** The bits that an instruction reaches without taking a byte. */
  #reach(instruction: number): number[] {
    const set = this.#reached;
    set.clear();
    this.#stepper.add(set, instruction);
    return [...set.list.subarray(0, set.count)].map((at) => this.#bitOf.get(at)!);
  }

  #bitsOf(bits: readonly number[]): Bits {
    const words = new Map<number, number>();
    for (const bit of bits) words.set(bit >>> 5, (words.get(bit >>> 5) ?? 0) | (1 << (bit & 31)));
    return Int32Array.from([...words].toSorted((a, b) => a[0] - b[0]).flat());
  }

  /** Whether the value matches if these instructions are active at `from`, after a byte of this category. */
  walk(
    bytes: Uint8Array,
    length: number,
    from: number,
    { instructions, before }: { readonly instructions: Int32Array; readonly before: number },
    lookBits: Uint8Array | undefined,
  ): boolean {
    const { categoryOf, classOf } = this.#stepper;
    let current = new Int32Array(this.#wordCount);
    let next = new Int32Array(this.#wordCount);
    add(current, this.#bitsOf(Array.from(instructions, (at) => this.#bitOf.get(at)!)));
    let left = before;
    for (let i = from; i <= length; i++) {
      // The maximum per byte; the actual cost depends on the active instructions.
      spendSteps(this.#workPerByte * stepsPerWord);
      const right = i === length ? noCategory : categoryOf[bytes[i]!]!;
      if (this.#resolve(current, left, right, lookBits?.[i] ?? 0)) return true;
      if (i === length) break;
      next.fill(0);
      this.#advance(current, next, classOf[bytes[i]!]!);
      add(next, this.#start);
      [current, next] = [next, current];
      left = right;
    }
    this.#stepper.steps += this.#workPerByte * (length - from + 1);
    return false;
  }

  /** Follows the assertions that hold here until they reach nothing more; returns true for a match. */
  #resolve(set: Int32Array, before: number, after: number, lookBits: number): boolean {
    const pending = this.#pending;
    let isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (const word of this.#pendingWords) {
        for (let rest = set[word]! & pending[word]!; rest !== 0; rest &= rest - 1) {
          const bit = (word << 5) + 31 - Math.clz32(rest & -rest);
          const targets = this.#behind.get(bit);
          if (targets === undefined) return true;
          if (!this.#stepper.holds(this.#stops[bit]!, before, after, lookBits)) continue;
          if (add(set, targets)) isChanged = true;
        }
      }
    }
    return false;
  }

  #advance(from: Int32Array, to: Int32Array, byteClass: number): void {
    const step = ++this.#stepCount;
    const [accepts, chained, jumping] = [this.#accepts, this.#chained, this.#jumping];
    const row = byteClass * this.#wordCount;
    for (let word = 0; word < from.length; word++) {
      const taking = from[word]! & accepts[row + word]!;
      if (taking === 0) continue;
      const moving = taking & chained[word]!;
      to[word]! |= moving >>> 1;
      if ((moving & 1) !== 0) to[word - 1]! |= 1 << 31;
      if ((taking & jumping[word]!) === 0) continue;
      for (const { from: mask, jump } of this.#jumps[word]!) {
        if ((taking & mask) === 0 || jump.servedIn === step) continue;
        jump.servedIn = step;
        add(to, jump.targets);
      }
    }
  }
}

/** Adds the bits; returns true if the set lacked any of them. */
function add(set: Int32Array, bits: Bits): boolean {
  let isChanged = false;
  for (let i = 0; i < bits.length; i += 2) {
    const word = bits[i]!;
    const joined = set[word]! | bits[i + 1]!;
    if (joined !== set[word]) isChanged = true;
    set[word] = joined;
  }
  return isChanged;
}

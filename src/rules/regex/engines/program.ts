import { assert } from '#base';
import { instructionsMax } from '../limits.ts';
import type { ByteSet } from '../syntax/byte-set.ts';
import {
  type Assertion,
  lengthMin,
  looksOf,
  partsOf,
  someTree,
  type PatternTree,
  type WordAssertion,
} from '../syntax/tree.ts';

/** The operation of an instruction and the meaning of its operands `x` and `y`. */
export const op = {
  /** Takes a byte of set `x`, continues at `y`. */
  set: 0,
  /** Continues at `x`, or else at `y`. */
  split: 1,
  /** Continues at `y` if assertion `x` holds. */
  assert: 2,
  /** Continues at `y` if look-around `x`, or assertion `x` about words of characters, holds. */
  look: 3,
  /** Saves the position in slot `x`, continues at `y`. */
  save: 4,
  match: 5,
  /** Continues at `y` after another occurrence of the text that back-reference `x` refers to. */
  reference: 6,
  /** Continues at `y` after the first match of the atomic part that starts at `x`. */
  atomic: 7,
  /**
   * Continues at `y`, or after the loop if no byte was taken since slot `x` was saved: a loop must not repeat an empty
   * round.
   */
  progress: 8,
  /** Continues at `y` at the same position, if the part that starts at `x` matches here. */
  ahead: 9,
  /** Continues at `y` if the part that starts at `x` does not match here. */
  notAhead: 10,
  /**
   * Ends group `x`, whose start was saved separately so that references inside it mean its last round; continues at
   * `y`.
   */
  close: 11,
} as const;

export interface LookAround {
  readonly ahead: boolean;
  readonly negative: boolean;
  readonly part: PatternTree;
}

/** A tree as instructions of a nondeterministic automaton. */
export interface PatternProgram {
  readonly ops: Uint8Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly start: number;
  readonly sets: readonly ByteSet[];
  readonly assertions: readonly Assertion[];
  /** For one dialect; only the other dialect has words of characters. */
  readonly looks: readonly LookAround[];
  readonly wordAssertions: readonly WordAssertion[];
  readonly references: readonly { readonly index: number; readonly ignoreCase: boolean }[];
  /** Slots of groups, two each, the whole match first; then starts of open groups, one each; then loops. */
  readonly slotCount: number;
  /** For the slot of a loop, where to continue after the loop. */
  readonly loopExits: ReadonlyMap<number, number>;
}

/**
 * Whether only the backtracking engine can run it: the rest of the match depends on the matched text, or on how it
 * matched.
 */
export function needsBacktracking(tree: PatternTree): boolean {
  return someTree(tree, ({ kind }) => kind === 'backreference' || kind === 'atomic');
}

interface CompileOptions {
  /** Reads the value from its end: everything in reverse order. */
  readonly backward: boolean;
  readonly groupCount: number;
  /** Records groups; without them the program only reports whether and where it matches. */
  readonly captures: boolean;
  /** For the backtracking engine: loops do not repeat empty rounds, groups count only once closed. */
  readonly backtracking: boolean;
}

interface ProgramSize {
  readonly instructions: number;
  /** How many of them belong to unrolled repetitions. */
  readonly unrolled: number;
}

/** The maximum number of instructions for a tree, not counting those of look-arounds that run separately. */
export function programSize(tree: PatternTree): ProgramSize {
  const isAsked = tree.kind === 'look' && !needsBacktracking(tree.part);
  if (
    isAsked ||
    tree.kind === 'set' ||
    tree.kind === 'assert' ||
    tree.kind === 'unicode-assert' ||
    tree.kind === 'backreference'
  ) {
    return { instructions: 1, unrolled: 0 };
  }
  const sizes = partsOf(tree).map(programSize);
  const instructions = sizes.reduce((sum, size) => sum + size.instructions, 0);
  const unrolled = sizes.reduce((sum, size) => sum + size.unrolled, 0);
  if (tree.kind === 'concat') return { instructions, unrolled };
  // Splits between branches, saves around a group, the ends of a part that runs separately.
  if (tree.kind !== 'repeat') return { instructions: instructions + sizes.length + 1, unrolled };
  const copies = tree.max === Infinity ? Math.max(1, tree.min) : tree.max;
  // An optional part needs a split; an empty part is copied as well.
  const splits = tree.max === Infinity ? 4 : tree.max - tree.min;
  const all = Math.max(1, instructions) * copies + splits;
  return { instructions: all, unrolled: copies > 1 ? all : unrolled };
}

export function isTooLarge(tree: PatternTree, unrolledMax: number): boolean {
  const sizes = [tree, ...[...looksOf(tree)].map((look) => look.part)].map(programSize);
  const instructions = sizes.reduce((sum, size) => sum + size.instructions, 0);
  const unrolled = sizes.reduce((sum, size) => sum + size.unrolled, 0);
  return instructions > instructionsMax || unrolled > unrolledMax;
}

export function compileProgram(tree: PatternTree, options: CompileOptions): PatternProgram {
  return new Compiler(options).compile(tree);
}

/** Compiles from the end to the start: each part receives the instruction to continue at. */
class Compiler {
  readonly #options: CompileOptions;
  readonly #ops: number[] = [];
  readonly #x: number[] = [];
  readonly #y: number[] = [];
  readonly #sets: ByteSet[] = [];
  readonly #setIndexes = new Map<string, number>();
  readonly #assertions: Assertion[] = [];
  readonly #looks: LookAround[] = [];
  readonly #lookIndexes = new Map<PatternTree, number>();
  readonly #wordAssertions: WordAssertion[] = [];
  readonly #references: Array<{ index: number; ignoreCase: boolean }> = [];
  readonly #loopExits = new Map<number, number>();
  #slotCount: number;

  constructor(options: CompileOptions) {
    this.#options = options;
    this.#slotCount = (options.backtracking ? 3 : 2) * (options.groupCount + 1);
  }

  compile(tree: PatternTree): PatternProgram {
    const { captures } = this.#options;
    const match = this.#add(op.match, 0, 0);
    const end = captures ? this.#add(op.save, 1, match) : match;
    const body = this.#compile(tree, end);
    const start = captures ? this.#add(op.save, 0, body) : body;
    return {
      ops: Uint8Array.from(this.#ops),
      x: Int32Array.from(this.#x),
      y: Int32Array.from(this.#y),
      start,
      sets: this.#sets,
      assertions: this.#assertions,
      looks: this.#looks,
      wordAssertions: this.#wordAssertions,
      references: this.#references,
      slotCount: this.#slotCount,
      loopExits: this.#loopExits,
    };
  }

  #add(code: number, x: number, y: number): number {
    this.#x.push(x);
    this.#y.push(y);
    return this.#ops.push(code) - 1;
  }

  #compile(tree: PatternTree, next: number): number {
    switch (tree.kind) {
      case 'set':
        return this.#add(op.set, this.#setIndex(tree.set), next);
      case 'concat': {
        const ordered = this.#options.backward ? tree.parts : tree.parts.toReversed();
        return ordered.reduce((target, part) => this.#compile(part, target), next);
      }
      case 'alternate': {
        const starts = tree.parts.map((part) => this.#compile(part, next));
        return starts.reduceRight((rest, start) => this.#add(op.split, start, rest));
      }
      case 'repeat':
        return this.#compileRepeat(tree, next);
      case 'group': {
        const { captures, backtracking, groupCount } = this.#options;
        if (!captures) return this.#compile(tree.part, next);
        if (backtracking) {
          const close = this.#add(op.close, tree.index, next);
          return this.#add(op.save, 2 * (groupCount + 1) + tree.index, this.#compile(tree.part, close));
        }
        const end = this.#add(op.save, 2 * tree.index + 1, next);
        return this.#add(op.save, 2 * tree.index, this.#compile(tree.part, end));
      }
      case 'assert':
        return this.#add(op.assert, this.#assertions.push(tree.assertion) - 1, next);
      case 'unicode-assert': {
        const known = this.#wordAssertions.indexOf(tree.assertion);
        return this.#add(op.look, known === -1 ? this.#wordAssertions.push(tree.assertion) - 1 : known, next);
      }
      case 'look': {
        if (needsBacktracking(tree.part)) {
          const start = this.#compile(tree.part, this.#add(op.match, 0, 0));
          return this.#add(tree.negative ? op.notAhead : op.ahead, start, next);
        }
        const index = this.#lookIndexes.get(tree) ?? this.#looks.push(tree) - 1;
        this.#lookIndexes.set(tree, index);
        return this.#add(op.look, index, next);
      }
      case 'backreference':
        return this.#add(op.reference, this.#references.push(tree) - 1, next);
      default:
        return this.#add(op.atomic, this.#compile(tree.part, this.#add(op.match, 0, 0)), next);
    }
  }

  #compileRepeat(tree: Extract<PatternTree, { kind: 'repeat' }>, next: number): number {
    const { part, min, max, greedy } = tree;
    const split = (body: number, exit: number): number =>
      greedy ? this.#add(op.split, body, exit) : this.#add(op.split, exit, body);
    let target = next;
    let copies = min;
    if (max === Infinity) {
      // A loop whose body may be empty is an optional `+`: so it has the same preference as Rust's regex.
      const isPlus = min > 0 || lengthMin(part) === 0;
      target = this.#compileLoop(part, greedy, next, isPlus);
      if (isPlus && min === 0) target = split(target, next);
      copies = Math.max(0, min - 1);
    } else {
      for (let i = min; i < max; i++) target = split(this.#compile(part, target), next);
    }
    for (let i = 0; i < copies; i++) target = this.#compile(part, target);
    return target;
  }

  /** `part+` if `isPlus`, otherwise `part*`. */
  #compileLoop(part: PatternTree, greedy: boolean, next: number, isPlus: boolean): number {
    const again = this.#add(op.split, next, next);
    let body: number;
    if (this.#options.backtracking && lengthMin(part) === 0) {
      const slot = this.#slotCount++;
      this.#loopExits.set(slot, next);
      const inner = this.#compile(part, this.#add(op.progress, slot, again));
      body = this.#add(op.save, slot, inner);
    } else body = this.#compile(part, again);
    if (greedy) this.#x[again] = body;
    else this.#y[again] = body;
    return isPlus ? body : again;
  }

  #setIndex(set: ByteSet): number {
    const { key } = set;
    const known = this.#setIndexes.get(key);
    if (known !== undefined) return known;
    const index = this.#sets.push(set) - 1;
    this.#setIndexes.set(key, index);
    assert(index < instructionsMax, 'a program was compiled without looking at its size');
    return index;
  }
}

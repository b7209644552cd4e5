import { assert } from '#base';
import { instructionsMax, unrolledMax } from '../limits.ts';
import type { ByteSet } from '../syntax/byte-set.ts';
import { type Assertion, lengthMin, partsOf, type Tree, type WordAssertion } from '../syntax/tree.ts';

/** What an instruction does; `x` and `y` of it mean what stands behind. */
export const op = {
  /** Takes a byte of set `x`, goes on at `y`. */
  set: 0,
  /** Goes on at `x`, or else at `y`. */
  split: 1,
  /** Goes on at `y` if assertion `x` holds. */
  assert: 2,
  /** Goes on at `y` if assertion `x` about words of characters holds. */
  unicodeAssert: 3,
  /** Notes the position in slot `x`, goes on at `y`. */
  save: 4,
  match: 5,
} as const;

/** A tree as instructions of a nondeterministic automaton. */
export interface Program {
  readonly ops: Uint8Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly start: number;
  readonly sets: readonly ByteSet[];
  readonly assertions: readonly Assertion[];
  readonly wordAssertions: readonly WordAssertion[];
  /** Two for each group, the whole match first. */
  readonly slotCount: number;
}

interface CompileOptions {
  /** Keeps the positions of so many groups; without it the program only says whether there is a match. */
  readonly groupCount?: number;
}

interface ProgramSize {
  readonly instructions: number;
  /** How many of them belong to counted repetitions that are written out. */
  readonly unrolled: number;
}

/** Instructions a tree needs at most. */
export function programSize(tree: Tree): ProgramSize {
  if (tree.kind === 'set' || tree.kind === 'assert' || tree.kind === 'unicode-assert') {
    return { instructions: 1, unrolled: 0 };
  }
  const sizes = partsOf(tree).map(programSize);
  const instructions = sizes.reduce((sum, size) => sum + size.instructions, 0);
  const unrolled = sizes.reduce((sum, size) => sum + size.unrolled, 0);
  if (tree.kind === 'concat') return { instructions, unrolled };
  // Splits between branches, saves around a group.
  if (tree.kind !== 'repeat') return { instructions: instructions + sizes.length + 1, unrolled };
  const copies = tree.max === Infinity ? Math.max(1, tree.min) : tree.max;
  // What may be left out needs a split; what takes nothing is copied all the same.
  const splits = tree.max === Infinity ? 4 : tree.max - tree.min;
  const all = Math.max(1, instructions) * copies + splits;
  return { instructions: all, unrolled: copies > 1 ? all : unrolled };
}

export function isTooLarge(tree: Tree): boolean {
  const { instructions, unrolled } = programSize(tree);
  return instructions > instructionsMax || unrolled > unrolledMax;
}

export function compileProgram(tree: Tree, options: CompileOptions = {}): Program {
  return new Compiler(options.groupCount).compile(tree);
}

/** Compiles from the end to the beginning: each part is given where to go on. */
class Compiler {
  readonly #groupCount: number | undefined;
  readonly #ops: number[] = [];
  readonly #x: number[] = [];
  readonly #y: number[] = [];
  readonly #sets: ByteSet[] = [];
  readonly #setIndexes = new Map<string, number>();
  readonly #assertions: Assertion[] = [];
  readonly #wordAssertions: WordAssertion[] = [];

  constructor(groupCount: number | undefined) {
    this.#groupCount = groupCount;
  }

  compile(tree: Tree): Program {
    const captures = this.#groupCount !== undefined;
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
      wordAssertions: this.#wordAssertions,
      slotCount: captures ? 2 * (this.#groupCount + 1) : 0,
    };
  }

  #add(code: number, x: number, y: number): number {
    this.#x.push(x);
    this.#y.push(y);
    return this.#ops.push(code) - 1;
  }

  #compile(tree: Tree, next: number): number {
    switch (tree.kind) {
      case 'set':
        return this.#add(op.set, this.#setIndex(tree.set), next);
      case 'concat':
        return tree.parts.reduceRight((target, part) => this.#compile(part, target), next);
      case 'alternate': {
        const starts = tree.parts.map((part) => this.#compile(part, next));
        return starts.reduceRight((rest, start) => this.#add(op.split, start, rest));
      }
      case 'repeat':
        return this.#compileRepeat(tree, next);
      case 'group': {
        if (this.#groupCount === undefined) return this.#compile(tree.part, next);
        const end = this.#add(op.save, 2 * tree.index + 1, next);
        return this.#add(op.save, 2 * tree.index, this.#compile(tree.part, end));
      }
      case 'assert':
        return this.#add(op.assert, this.#assertions.push(tree.assertion) - 1, next);
      default: {
        const known = this.#wordAssertions.indexOf(tree.assertion);
        const index = known === -1 ? this.#wordAssertions.push(tree.assertion) - 1 : known;
        return this.#add(op.unicodeAssert, index, next);
      }
    }
  }

  #compileRepeat(tree: Extract<Tree, { kind: 'repeat' }>, next: number): number {
    const { part, min, max, greedy } = tree;
    const split = (body: number, exit: number): number =>
      greedy ? this.#add(op.split, body, exit) : this.#add(op.split, exit, body);
    let target = next;
    let copies = min;
    if (max === Infinity) {
      // A loop whose body may be empty is an optional `+`: so it prefers what Rust's regex prefers.
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
  #compileLoop(part: Tree, greedy: boolean, next: number, isPlus: boolean): number {
    const again = this.#add(op.split, next, next);
    const body = this.#compile(part, again);
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

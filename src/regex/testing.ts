/** Random patterns and values for the tests of the engines, and an engine to compare them with. */
import fc from 'fast-check';
import { holdsBetween, noByte } from './engines/conditions.ts';
import { WordBits } from './engines/word-bits.ts';
import type { Parsed } from './syntax/rust-syntax.ts';
import { isAnchored, type Repeat, type Tree } from './syntax/tree.ts';

const atoms =
  String.raw`a b A _ . \n \r \xff \w \W \d \s [ab] [^a] [^b\n] ^ $ \b \B \A \z (?i) (?m) (?s) [[:upper:]] ` +
  String.raw`é [a-y&&b-z] [\w--a] \< \> \b{start-half} \b{end-half} (?R) (?mR) (?U) (?x) ` +
  String.raw`(?u:.) (?u:\b) (?u:\B) (?u:\b{start}) (?u:\b{end}) (?u:\b{start-half}) (?u:\b{end-half})`;
const quantifiers = ['*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{0,2}?', '{2,}', '{0}'];
const atom = fc.constantFrom('', ' ', ...atoms.split(' '));

/** Sources that the parser accepts, or nearly always. */
export const patternSource: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atom,
    fc.tuple(tie('node'), tie('node')).map((parts) => parts.join('')),
    fc.tuple(tie('node'), tie('node')).map((parts) => `(?:${parts.join('|')})`),
    tie('node').map((node) => `(${node})`),
    fc.tuple(tie('node'), fc.constantFrom(...quantifiers)).map(([node, sign]) => `(?:${node})${sign}`),
  ),
})).node;

const byte = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'A', '\n') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('_', ' ', '1', '\r', '\xff', '\xc3', '\xa9', '\x85', '\0', '\xc3\xa9'),
  },
);

export const valueBytes = fc.array(byte, { maxLength: 12 }).map((bytes) => bytes.join(''));

interface Backtracked {
  /** Parts entered and rounds begun: more than `stepsMax` if the search was given up. */
  readonly steps: number;
  /** Start and end of the match and of each group, -1 for a group that took no part. */
  readonly slots: Int32Array | undefined;
}

/** Searches as V8 does, one alternative after the other, and counts the steps, which V8 does not. */
export function backtrack(
  parsed: Parsed,
  value: string,
  { stepsMax }: { readonly stepsMax: number },
): Backtracked {
  const search = new Backtracking(value, 2 * (parsed.groupCount + 1), stepsMax);
  const isFound = search.run(parsed.tree);
  return { steps: search.steps, slots: isFound ? search.slots : undefined };
}

type GoOn = (at: number) => boolean;

/** Enters parts with what to do behind them, as the ECMAScript specification describes it. */
class Backtracking {
  steps = 0;
  readonly slots: Int32Array;
  readonly #value: string;
  readonly #stepsMax: number;

  constructor(value: string, slotCount: number, stepsMax: number) {
    this.#value = value;
    this.#stepsMax = stepsMax;
    this.slots = new Int32Array(slotCount).fill(-1);
  }

  run(tree: Tree): boolean {
    const whole: Tree = { kind: 'group', index: 0, part: tree };
    const startMax = isAnchored(tree) ? 0 : this.#value.length;
    for (let start = 0; start <= startMax && this.steps <= this.#stepsMax; start++) {
      if (this.#enter(whole, start, () => true)) return true;
    }
    return false;
  }

  #enter(tree: Tree, at: number, goOn: GoOn): boolean {
    if (++this.steps > this.#stepsMax) return false;
    switch (tree.kind) {
      case 'set': {
        const taken = this.#byteAt(at);
        return taken !== noByte && tree.set.has(taken) && goOn(at + 1);
      }
      case 'concat': {
        const { parts } = tree;
        const enterFrom = (index: number, from: number): boolean =>
          index === parts.length
            ? goOn(from)
            : this.#enter(parts[index]!, from, (end) => enterFrom(index + 1, end));
        return enterFrom(0, at);
      }
      case 'alternate':
        return tree.parts.some((part) => this.#enter(part, at, goOn));
      case 'repeat':
        return this.#enterRound(tree, 0, at, goOn);
      case 'group':
        return this.#enter(tree.part, at, (end) => {
          const before = this.slots.slice(2 * tree.index, 2 * tree.index + 2);
          this.slots.set([at, end], 2 * tree.index);
          if (goOn(end)) return true;
          this.slots.set(before, 2 * tree.index);
          return false;
        });
      case 'assert':
        return holdsBetween(tree.assertion, this.#byteAt(at - 1), this.#byteAt(at)) && goOn(at);
      default:
        return WordBits.for([tree.assertion])!.bitsOf(this.#value)[at] === 1 && goOn(at);
    }
  }

  /** A round that took nothing is dropped, unless it must be there. */
  #enterRound(repeat: Repeat, round: number, at: number, goOn: GoOn): boolean {
    const { part, min, max, greedy } = repeat;
    this.steps++;
    const again = (): boolean =>
      round < max &&
      this.#enter(part, at, (end) => {
        return (end !== at || round < min) && this.#enterRound(repeat, round + 1, end, goOn);
      });
    const leave = (): boolean => round >= min && goOn(at);
    return greedy ? again() || leave() : leave() || again();
  }

  #byteAt(position: number): number {
    return position >= 0 && position < this.#value.length ? this.#value.charCodeAt(position) : noByte;
  }
}

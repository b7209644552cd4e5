import { ByteSet } from './byte-set.ts';
import { alternate, concat, type PatternTree } from './tree.ts';

type CodePointRange = readonly [first: number, last: number];

const codePointMax = 0x10ffff;
const surrogates: CodePointRange = [0xd800, 0xdfff];

/** A set of characters, for patterns that use Unicode. The engines receive its UTF-8 form. */
export class UnicodeSet {
  #ranges: CodePointRange[];

  constructor(ranges: readonly CodePointRange[] = []) {
    this.#ranges = merged(ranges);
  }

  static fromBytes(set: ByteSet): UnicodeSet {
    return new UnicodeSet(set.bytes().map((byte) => [byte, byte]));
  }

  addRange(first: number, last: number): void {
    this.#ranges = merged([...this.#ranges, [first, last]]);
  }

  addAll(other: UnicodeSet): void {
    this.#ranges = merged([...this.#ranges, ...other.#ranges]);
  }

  negated(): UnicodeSet {
    const gaps: CodePointRange[] = [];
    let next = 0;
    for (const [first, last] of [...this.#ranges, [codePointMax + 1, codePointMax + 1] as const]) {
      if (first > next) gaps.push([next, first - 1]);
      next = last + 1;
    }
    return new UnicodeSet(gaps);
  }

  intersection(other: UnicodeSet): UnicodeSet {
    const union = this.negated();
    union.addAll(other.negated());
    return union.negated();
  }

  difference(other: UnicodeSet): UnicodeSet {
    return this.intersection(other.negated());
  }

  symmetricDifference(other: UnicodeSet): UnicodeSet {
    const either = this.difference(other);
    either.addAll(other.difference(this));
    return either;
  }

  /** With every character that differs from one of these in case only. */
  foldedCase(): UnicodeSet {
    const folded = new UnicodeSet(this.#ranges);
    const others: CodePointRange[] = [];
    for (const orbit of caseOrbits()) {
      if (orbit.some((codePoint) => this.has(codePoint)))
        others.push(...orbit.map((each): CodePointRange => [each, each]));
    }
    folded.addAll(new UnicodeSet(others));
    return folded;
  }

  has(codePoint: number): boolean {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ranges[middle]![1] < codePoint) low = middle + 1;
      else high = middle;
    }
    return low < this.#ranges.length && this.#ranges[low]![0] <= codePoint;
  }

  /** The UTF-8 forms of all characters, grouped by common endings. */
  toTree(): PatternTree {
    const root: ByteTrie = new Map();
    for (const [first, last] of this.difference(new UnicodeSet([surrogates])).#ranges) {
      for (const sequence of utf8Sequences(first, last)) addSequence(root, sequence);
    }
    return treeOf(root);
  }
}

function merged(ranges: readonly CodePointRange[]): CodePointRange[] {
  const sorted = ranges.toSorted((a, b) => a[0] - b[0]);
  const result: CodePointRange[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last !== undefined && range[0] <= last[1] + 1)
      result[result.length - 1] = [last[0], Math.max(last[1], range[1])];
    else result.push(range);
  }
  return result;
}

/** Splits a range of characters into sequences of byte ranges. */
function utf8Sequences(first: number, last: number): CodePointRange[][] {
  for (const limit of [0x7f, 0x7ff, 0xffff]) {
    if (first <= limit && last > limit)
      return [...utf8Sequences(first, limit), ...utf8Sequences(limit + 1, last)];
  }
  if (last <= 0x7f) return [[[first, last]]];
  // Wherever the higher bytes differ, the lower ones must run through all their values.
  for (let bits = 6; bits <= 18; bits += 6) {
    const mask = (1 << bits) - 1;
    if ((first & ~mask) === (last & ~mask)) continue;
    if ((first & mask) !== 0)
      return [...utf8Sequences(first, first | mask), ...utf8Sequences((first | mask) + 1, last)];
    if ((last & mask) !== mask)
      return [...utf8Sequences(first, (last & ~mask) - 1), ...utf8Sequences(last & ~mask, last)];
  }
  const [from, to] = [Buffer.from(String.fromCodePoint(first)), Buffer.from(String.fromCodePoint(last))];
  return [[...from].map((byte, i): CodePointRange => [byte, to[i]!])];
}

/**
 * The bytes that may follow those of a range; none after the last one. Ranges at one position are equal or disjoint.
 */
type ByteTrie = Map<string, { readonly range: CodePointRange; readonly rest: ByteTrie }>;

function addSequence(trie: ByteTrie, [range, ...rest]: readonly CodePointRange[]): void {
  if (range === undefined) return;
  let next = trie.get(range.join('-'));
  if (next === undefined) trie.set(range.join('-'), (next = { range, rest: new Map() }));
  addSequence(next.rest, rest);
}

function treeOf(trie: ByteTrie): PatternTree {
  // Bytes with the same continuations are grouped.
  const groups = new Map<string, { set: ByteSet; rest: ByteTrie }>();
  for (const { range, rest } of trie.values()) {
    const key = keyOf(rest);
    const group = groups.get(key) ?? { set: new ByteSet(), rest };
    group.set.addRange(...range);
    groups.set(key, group);
  }
  const branches = [...groups.values()].map(({ set, rest }): PatternTree => {
    return rest.size === 0 ? { kind: 'set', set } : concat([{ kind: 'set', set }, treeOf(rest)]);
  });
  return branches.length === 0 ? { kind: 'set', set: new ByteSet() } : alternate(branches);
}

function keyOf(trie: ByteTrie): string {
  return [...trie].map(([key, { rest }]) => (rest.size === 0 ? key : `${key}(${keyOf(rest)})`)).join();
}

const properties = new Map<string, UnicodeSet>();

/** The properties whose values JavaScript supports, by their names without optional parts. */
const propertyKeys = new Map([
  ['gc', 'gc='],
  ['generalcategory', 'gc='],
  ['sc', 'sc='],
  ['script', 'sc='],
  ['scx', 'scx='],
  ['scriptextensions', 'scx='],
]);

/** The characters of a property, written as in `\p{...}`, or the reason why it is unsupported. */
export function unicodeProperty(name: string): UnicodeSet | string {
  const [, key, text] = /^(?:([^=:]*)[=:])?(.*)$/s.exec(name)!;
  const prefix = key === undefined ? '' : propertyKeys.get(key.toLowerCase().replaceAll(/[\s_-]/g, ''));
  if (prefix === undefined) return 'Unicode property not found';
  const found = properties.get(name) ?? lookUpProperty(prefix, text!.trim());
  if (found === undefined) return `Unicode property ${prefix === '' ? '' : 'value '}not found`;
  properties.set(name, found);
  return found;
}

function lookUpProperty(prefix: string, text: string): UnicodeSet | undefined {
  if (!/^[\w\s-]+$/.test(text)) return undefined;
  const value = text.replace(/^is[\s_-]*(?!c$)/i, '');
  const spellings = [value, titleOf(value.split(/[\s_-]+/)), value.toUpperCase()];
  for (const each of prefix === '' ? ['', 'gc=', 'sc='] : [prefix]) {
    for (const spelling of spellings) {
      const set = charactersOf(`\\p{${each}${spelling}}`);
      if (set !== undefined) return set;
    }
  }
  return undefined;
}

function titleOf(words: readonly string[]): string {
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()).join('_');
}

/** All characters a JavaScript class matches. */
function charactersOf(source: string): UnicodeSet | undefined {
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^${source}$`, 'u');
  } catch {
    return undefined;
  }
  const ranges: CodePointRange[] = [];
  let first = -1;
  for (let codePoint = 0; codePoint <= codePointMax + 1; codePoint = nextToAsk(codePoint)) {
    const isMember = codePoint <= codePointMax && pattern.test(String.fromCodePoint(codePoint));
    if (isMember && first === -1) first = codePoint;
    else if (!isMember && first !== -1) {
      ranges.push([first, codePoint - 1]);
      first = -1;
    }
  }
  return new UnicodeSet(ranges);
}

/**
 * Beyond the last assigned characters of planes 3 and 14, all characters of a plane have the same properties, except
 * for its last two.
 */
function nextToAsk(codePoint: number): number {
  const isAssigned = codePoint < 0x34000 || (codePoint >= 0xe0000 && codePoint < 0xe0200);
  const planeEnd = codePoint | 0xffff;
  return isAssigned || codePoint >= planeEnd - 2 ? codePoint + 1 : planeEnd - 1;
}

const perlSources: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  s: String.raw`\p{White_Space}`,
  w: String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`,
};

/** `\d`, `\s` and `\w` and their opposites, as Unicode has them. */
export function unicodePerlClass(letter: string): UnicodeSet {
  const key = letter.toLowerCase();
  if (!properties.has(`\\${key}`)) properties.set(`\\${key}`, charactersOf(perlSources[key]!)!);
  const set = properties.get(`\\${key}`)!;
  return letter === key ? set : set.negated();
}

let orbits: readonly (readonly number[])[] | undefined;

/** Groups of characters that differ only in case, by simple folding: the one-to-one cases only. */
function caseOrbits(): readonly (readonly number[])[] {
  if (orbits !== undefined) return orbits;
  const groups = new Map<string, number[]>();
  const hasCase = /^\p{Changes_When_Casemapped}$/u;
  for (let codePoint = 0; codePoint <= 0x1ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    if (!hasCase.test(character)) continue;
    const viaUpper = character.toUpperCase().toLowerCase();
    const key = Array.from(viaUpper).length === 1 ? viaUpper : character.toLowerCase();
    const group = groups.get(key) ?? [];
    group.push(codePoint);
    groups.set(key, group);
  }
  // JavaScript uses the same simple folding, so it decides which of them really belong together.
  orbits = [...groups.values()].map((group) => {
    const same = new RegExp(`^\\u{${group[0]!.toString(16)}}$`, 'iu');
    return group.filter((codePoint) => same.test(String.fromCodePoint(codePoint)));
  });
  return orbits;
}

/**
 * Lists of patterns of which few can match a text. Nearly every pattern has a set of words of which one occurs in every
 * match: one pass over a text finds the words of all lists of this room, and only the patterns whose words occur are
 * tried. The words are shipped with the program (`pattern-words.json`; run `npm run generate` after a change of a
 * pattern): computing them takes longer than a process has before its first request. A pattern without words is always
 * tried.
 */
import { assert } from '#base';
import { LiteralSet } from '#regex';
import patternWords from './pattern-words.json' with { type: 'json' };

/** A pattern, and the confidence and reason of a match. */
export type Shape = readonly [pattern: RegExp, confidence: number, why: string];

/** The patterns of all lists. */
const patterns: RegExp[] = [];

/** Created for the first text: all lists are registered by then. */
let search: WordSearch | undefined;

const wordsByPattern: Readonly<Record<string, readonly string[]>> = patternWords;

export class Shapes {
  readonly #shapes: readonly Shape[];
  /** The shapes without words. */
  readonly #always: readonly Shape[];
  /** The index of its first pattern among all. */
  readonly #first: number;

  constructor(shapes: readonly Shape[]) {
    assert(search === undefined, 'lists of patterns are made before the first text is looked at');
    this.#shapes = shapes;
    this.#always = shapes.filter(([pattern]) => wordsByPattern[String(pattern)] === undefined);
    this.#first = patterns.length;
    for (const [pattern] of shapes) patterns.push(pattern);
  }

  /** The shapes that may match, in their order: usually only those without words. */
  in(text: string): readonly Shape[] {
    search ??= new WordSearch(patterns);
    const marks = search.markPatterns(text);
    const first = this.#first;
    const end = first + this.#shapes.length;
    let count = 0;
    for (let at = first; at < end; at++) count += marks[at]!;
    return count === this.#always.length
      ? this.#always
      : this.#shapes.filter((_, index) => marks[first + index] === 1);
  }
}

class WordSearch {
  readonly #words: LiteralSet;
  /** By word: the patterns that need it. */
  readonly #needing: readonly (readonly number[])[];
  /** By pattern: whether it has no words, so that it may match any text. */
  readonly #always: Uint8Array;
  /** By pattern: whether it may match the last text. */
  readonly #marks: Uint8Array;
  /** By word: whether it was found in the last text. */
  readonly #isFound: Uint8Array;
  /** A cache: the detectors run one after the other on the same text. */
  #last: string | undefined;

  constructor(all: readonly RegExp[]) {
    const needing = new Map<string, number[]>();
    this.#always = new Uint8Array(all.length);
    for (const [index, pattern] of all.entries()) {
      const words = wordsByPattern[String(pattern)];
      if (words === undefined) this.#always[index] = 1;
      for (const word of words ?? []) {
        const known = needing.get(word);
        if (known === undefined) needing.set(word, [index]);
        else known.push(index);
      }
    }
    this.#words = new LiteralSet([...needing.keys()], { ignoreCase: true });
    this.#needing = [...needing.values()];
    this.#marks = new Uint8Array(all.length);
    this.#isFound = new Uint8Array(needing.size);
  }

  markPatterns(text: string): Uint8Array {
    if (text === this.#last) return this.#marks;
    this.#last = text;
    this.#marks.set(this.#always);
    this.#isFound.fill(0);
    this.#words.scan(text, this.#note);
    return this.#marks;
  }

  readonly #note = (word: number): void => {
    if (this.#isFound[word] !== 0) return;
    this.#isFound[word] = 1;
    for (const pattern of this.#needing[word]!) this.#marks[pattern] = 1;
  };
}

/** The patterns of all registered lists. */
export function listPatterns(): readonly RegExp[] {
  return patterns;
}

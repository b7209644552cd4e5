/**
 * Lists of patterns of which few can match a text. Nearly every pattern has words of which one is in all that it matches:
 * one pass over a text finds the words of all lists of this room, and only the patterns whose words are there are tried.
 * The words come with the program (`pattern-words.json`; run `npm run generate` after a change of a pattern): to find them
 * takes longer than a process has for its first request. A pattern that has none there is always tried.
 */
import { assert } from '#base';
import { LiteralSet } from '#regex';
import patternWords from './pattern-words.json' with { type: 'json' };

/** What a pattern that is found says, and how sure that is. */
export type Shape = readonly [pattern: RegExp, confidence: number, why: string];

/** Of all lists. */
const patterns: RegExp[] = [];

/** Made when the first text is looked at: all lists are known then. */
let search: WordSearch | undefined;

const wordsByPattern: Readonly<Record<string, readonly string[]>> = patternWords;

export class Shapes {
  readonly #shapes: readonly Shape[];
  /** Those without words. */
  readonly #always: readonly Shape[];
  /** The number of its first pattern among all. */
  readonly #first: number;

  constructor(shapes: readonly Shape[]) {
    assert(search === undefined, 'lists of patterns are made before the first text is looked at');
    this.#shapes = shapes;
    this.#always = shapes.filter(([pattern]) => wordsByPattern[String(pattern)] === undefined);
    this.#first = patterns.length;
    for (const [pattern] of shapes) patterns.push(pattern);
  }

  /** Those that may match, in their order: usually only those without words. */
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
  /** Detectors ask one after the other about the same text. */
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

/** Of all lists that there are now. */
export function listPatterns(): readonly RegExp[] {
  return patterns;
}

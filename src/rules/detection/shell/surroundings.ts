/**
 * The text around commands. Hundreds of openings need it, so each property is computed once for a text, in one pass: a
 * value as long as a body must not be scanned for each of them.
 */
import { findProgram, readShellWord } from './words.ts';

/** A user's own command line, as in package scripts and in questions: injected text does not start one. */
const ownLine =
  /(?:^|&&|\|\|)\s*(?:sudo|doas|npm|npx|yarn|pnpm|bun|deno|node|tsc|eslint|git|make|cargo|go|pip|docker|kubectl|helm|terraform|mvn|gradle|apt|apt-get|brew|dotnet|rimraf|cross-env|set -e)\s/;

const separator = /[;|&`\n]|\$\(/;

export class Surroundings {
  readonly text: string;
  #isOwnLine: boolean | undefined;
  #hasPhrase: boolean | undefined;
  #beginsWithProgram: boolean | undefined;
  #wordsEnd: number | undefined;
  #ends: Ends | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get isOwnLine(): boolean {
    return (this.#isOwnLine ??= ownLine.test(this.text));
  }

  /** Whether several words precede the first separator. */
  get hasPhrase(): boolean {
    return (this.#hasPhrase ??= findPhrase(this.text));
  }

  get beginsWithProgram(): boolean {
    return (this.#beginsWithProgram ??= findFirstProgram(this.text));
  }

  /** Whether there are more than three words before the one position and after the other, or letters beyond ASCII. */
  saysMore(before: number, behind: number): boolean {
    const { firstWords, lastWords, firstLetter, lastLetter } = (this.#ends ??= readEnds(this.text));
    if (firstLetter < before || lastLetter > behind) return true;
    const isBefore = (at: number): boolean => at < before;
    const isBehind = (at: number): boolean => at > behind;
    return firstWords.filter(isBefore).length + lastWords.filter(isBehind).length >= wordsMin;
  }

  /** Whether two words of letters stand side by side before this position. */
  hasWordsBefore(at: number): boolean {
    this.#wordsEnd ??= endOfWords(this.text);
    return this.#wordsEnd <= at;
  }
}

/** The positions of the first and the last words of a text, as many as matter, and of letters beyond ASCII. */
interface Ends {
  readonly firstWords: readonly number[];
  readonly lastWords: readonly number[];
  readonly firstLetter: number;
  readonly lastLetter: number;
}

const wordsMin = 4;

function readEnds(text: string): Ends {
  const words: number[] = [];
  for (const { index } of text.matchAll(/\w+/g)) words.push(index);
  const firstLetter = text.search(/[\x80-\xff]/);
  let lastLetter = firstLetter === -1 ? -1 : text.length - 1;
  while (lastLetter > firstLetter && text.charCodeAt(lastLetter) < 0x80) lastLetter--;
  return {
    firstWords: words.slice(0, wordsMin),
    lastWords: words.slice(-wordsMin),
    firstLetter: firstLetter === -1 ? Infinity : firstLetter,
    lastLetter,
  };
}

function findPhrase(text: string): boolean {
  const first = text.search(separator);
  let before = '';
  for (const [word] of (first === -1 ? text : text.slice(0, first)).matchAll(/\S+/g)) {
    if ((/[a-z]/i.test(before) && /\w/.test(word)) || (/\d$/.test(before) && /^\w/.test(word))) return true;
    before = word;
  }
  return false;
}

function findFirstProgram(text: string): boolean {
  const word = readShellWord(text, 0);
  return word !== undefined && findProgram(word) !== undefined;
}

function endOfWords(text: string): number {
  const words = /[a-z]{2}\s+[a-z]{2}/i.exec(text);
  return words === null ? Number.POSITIVE_INFINITY : words.index + words[0].length;
}

/**
 * One pass over a text that tells which tests cannot match it. A test is an operator of a rule, known by its number, and a
 * set of tests is an array of bits. Every pattern and list of phrases that needs one of some literals is filtered: it
 * cannot match a text without any of them. Case is ignored, which only lets more through.
 */
import { readBytes } from '#base';
import { LiteralSet, type RequiredLiterals } from '#regex';

/**
 * A set of tests, 32 to a whole number. Plain arrays of small numbers: every value of a request has sets of its own, and V8
 * copies such an array in a tenth of the time that a typed one takes.
 */
export type TestSet = number[];

/** Tests with more literals than this are not worth their place, unless they are lists of phrases anyway. */
const literalsMax = 4_000;

/** Of a longer literal, the beginning is looked for: it lets little more through, and a third of the table is enough. */
const literalBytesMax = 8;

export class PrefilterBuilder {
  readonly #testsOf = new Map<string, number[]>();
  readonly #unfiltered: number[] = [];
  #count = 0;

  /** The number of the next test. Without literals that are of use it may match any text. */
  add(required: RequiredLiterals | undefined): number {
    const test = this.#count++;
    const literals = required?.literals ?? [];
    if (literals.length === 0 || literals.length > literalsMax || literals.includes('')) {
      this.#unfiltered.push(test);
      return test;
    }
    for (const literal of new Set(literals.map((text) => text.slice(0, literalBytesMax).toLowerCase()))) {
      const tests = this.#testsOf.get(literal);
      if (tests === undefined) this.#testsOf.set(literal, [test]);
      else tests.push(test);
    }
    return test;
  }

  build(): Prefilter {
    return new Prefilter(this.#testsOf, this.#unfiltered, this.#count);
  }
}

export class Prefilter {
  /** Of a set of tests. */
  readonly words: number;
  readonly #set: LiteralSet | undefined;
  readonly #testsByLiteral: readonly Int32Array[];
  /** Literals of one byte occur in every text many times: it is enough to know which bytes there are. */
  readonly #testsByByte: readonly (readonly [byte: number, tests: Int32Array])[];
  /** By byte, and by literal: the last scan that found it, so that each counts once. */
  readonly #byteScannedIn = new Float64Array(256);
  readonly #scannedIn: Float64Array;
  #scans = 0;
  readonly #unfiltered: TestSet;

  constructor(testsOf: ReadonlyMap<string, readonly number[]>, unfiltered: readonly number[], count: number) {
    const literals = [...testsOf.keys()].filter(({ length }) => length > 1);
    this.#set = literals.length === 0 ? undefined : new LiteralSet(literals, { ignoreCase: true });
    this.#testsByLiteral = literals.map((literal) => Int32Array.from(testsOf.get(literal)!));
    this.#testsByByte = [...testsOf]
      .filter(([{ length }]) => length === 1)
      .map(([literal, tests]) => [literal.charCodeAt(0), Int32Array.from(tests)]);
    this.#scannedIn = new Float64Array(literals.length);
    this.words = Math.max(1, Math.ceil(count / 32));
    this.#unfiltered = createTestSet(this.words, unfiltered);
  }

  /** The tests that may match the text as it stands. */
  scan(value: string): TestSet {
    const found = this.#unfiltered.slice();
    const [scan, scannedIn, testsByLiteral] = [++this.#scans, this.#scannedIn, this.#testsByLiteral];
    this.#addByBytes(value, found);
    this.#set?.scan(value, (literal) => {
      if (scannedIn[literal] === scan) return;
      scannedIn[literal] = scan;
      addTests(found, testsByLiteral[literal]!);
    });
    return found;
  }

  #addByBytes(value: string, found: TestSet): void {
    const testsByByte = this.#testsByByte;
    if (testsByByte.length === 0) return;
    const [scan, scannedIn] = [this.#scans, this.#byteScannedIn];
    const { length } = value;
    const bytes = readBytes(value);
    for (let index = 0; index < length; index++) scannedIn[smallLetters[bytes[index]!]!] = scan;
    for (const [byte, tests] of testsByByte) if (scannedIn[byte] === scan) addTests(found, tests);
  }
}

/** Capital letters count as small ones. */
const smallLetters = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte,
);

function addTests(set: TestSet, tests: Int32Array): void {
  for (const test of tests) set[test >>> 5]! |= 1 << (test & 31);
}

export function createTestSet(words: number, tests: Iterable<number> = []): TestSet {
  const set: TestSet = [];
  for (let word = 0; word < words; word++) set.push(0);
  for (const test of tests) set[test >>> 5]! |= 1 << (test & 31);
  return set;
}

export function hasTest(set: TestSet, test: number): boolean {
  return (set[test >>> 5]! & (1 << (test & 31))) !== 0;
}

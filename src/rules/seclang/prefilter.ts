/**
 * One pass over a text that determines which tests cannot match it. A test is an operator of a rule, known by its
 * number, and a set of tests is an array of bits. Every pattern and list of phrases that requires one of some literals
 * is filtered: it cannot match a text without any of them. Case is ignored, which can only let more texts through.
 */
import { BoundedMap } from '#base';
import { bitsOfBytes, lowerAscii, upperAscii } from '#text';
import { LiteralSet, type RequiredLiterals } from '#regex';

/**
 * A set of tests, 32 per integer. Plain arrays of small integers: every value of a request has its own sets, and V8
 * copies such an array in a tenth of the time for a typed array.
 */
export type TestSet = number[];

/** Tests with more literals than this do not justify the memory, unless they are lists of phrases anyway. */
const literalsMax = 4_000;

/**
 * Only this prefix of a longer literal is searched: it lets little more through, and the table has a third of the size.
 */
const literalBytesMax = 8;

export class PrefilterBuilder {
  readonly #testsOf = new Map<string, number[]>();
  readonly #unfiltered: number[] = [];
  #count = 0;

  /** The number of the next test. Without useful literals it may match any text. */
  add(required: RequiredLiterals | undefined): number {
    const test = this.#count++;
    const literals = required?.literals ?? [];
    if (literals.length === 0 || literals.length > literalsMax || literals.includes('')) {
      this.#unfiltered.push(test);
      return test;
    }
    for (const literal of new Set(literals.map((text) => lowerAscii(text.slice(0, literalBytesMax))))) {
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
  /** The number of words in a set of tests. */
  readonly words: number;
  readonly #set: LiteralSet | undefined;
  readonly #testsByLiteral: readonly Int32Array[];
  readonly #signs: ByteSigns;
  /** By the signs of a text: the tests that require no literal, or one of these bytes. */
  readonly #bySigns = new BoundedMap<number, TestSet>(signsMax);
  /** By literal: the last scan that found it, so that each counts once. */
  readonly #scannedIn: Float64Array;
  #scans = 0;
  readonly #unfiltered: TestSet;
  /** The result of the current scan. */
  #found: TestSet = [];

  constructor(testsOf: ReadonlyMap<string, readonly number[]>, unfiltered: readonly number[], count: number) {
    const literals = [...testsOf.keys()].filter(({ length }) => length > 1);
    this.#set = literals.length === 0 ? undefined : new LiteralSet(literals, { ignoreCase: true });
    this.#testsByLiteral = literals.map((literal) => Int32Array.from(testsOf.get(literal)!));
    this.#signs = new ByteSigns(testsOf);
    this.#scannedIn = new Float64Array(literals.length);
    this.words = Math.max(1, Math.ceil(count / 32));
    this.#unfiltered = createTestSet(this.words, unfiltered);
  }

  /** The tests that may match the unchanged text. */
  scan(value: string): TestSet {
    const found = this.#startWith(this.#signs.find(value)).slice();
    if (this.#set === undefined) return found;
    this.#scans++;
    this.#found = found;
    this.#set.scan(value, this.#onLiteral);
    return found;
  }

  readonly #onLiteral = (literal: number): void => {
    if (this.#scannedIn[literal] === this.#scans) return;
    this.#scannedIn[literal] = this.#scans;
    addTests(this.#found, this.#testsByLiteral[literal]!);
  };

  #startWith(signs: number): TestSet {
    let tests = this.#bySigns.get(signs);
    if (tests === undefined) {
      tests = this.#unfiltered.slice();
      for (const each of this.#signs.testsOf(signs)) addTests(tests, each);
      this.#bySigns.set(signs, tests);
    }
    return tests;
  }
}

/** Sets of signs whose tests are cached: there are a few dozen in real traffic. */
const signsMax = 4_096;

/**
 * Literals of one byte occur many times in every text: it suffices to know which bytes occur. Those that the same tests
 * require share a sign, a bit. If there are more signs than bits, those of the rarest bytes share one, which can only
 * let more texts through.
 */
class ByteSigns {
  readonly #signOf = new Int32Array(256);
  /** By the number of the bit. */
  readonly #tests: readonly Int32Array[];

  constructor(testsOf: ReadonlyMap<string, readonly number[]>) {
    const bytes = [...testsOf.keys()].filter(({ length }) => length === 1);
    const alike = Map.groupBy(
      bytes.toSorted((one, other) => rarityOf(one) - rarityOf(other)),
      (byte) => testsOf.get(byte)!.join(' '),
    );
    const tests: Set<number>[] = [];
    for (const [index, group] of [...alike.values()].entries()) {
      const bit = Math.min(index, bitsMax - 1);
      tests[bit] = (tests[bit] ?? new Set()).union(new Set(testsOf.get(group[0]!)));
      for (const byte of group) {
        this.#signOf[byte.charCodeAt(0)]! |= 1 << bit;
        this.#signOf[upperAscii(byte).charCodeAt(0)]! |= 1 << bit;
      }
    }
    this.#tests = tests.map((each) => Int32Array.from(each));
  }

  find(value: string): number {
    return bitsOfBytes(value, this.#signOf);
  }

  testsOf(signs: number): readonly Int32Array[] {
    return this.#tests.filter((_, bit) => (signs & (1 << bit)) !== 0);
  }
}

/** The bits of an integer that V8 stores as a small integer. */
const bitsMax = 30;

/** The most common bytes in values, the commonest first. */
const commonBytes = 'abcdefghijklmnopqrstuvwxyz0123456789-./=&%?:;, +_()';

function rarityOf(byte: string): number {
  const at = commonBytes.indexOf(byte);
  return at === -1 ? commonBytes.length : at;
}

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

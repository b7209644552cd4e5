/**
 * A cache of request values with the results computed from them. Most values of a request occurred in an earlier one:
 * names, headers, cookies, common words. Therefore the latest few thousand short values that recur are kept for later
 * requests; others, and longer ones, only for their own request. The cached results depend on the value alone, never on
 * the request.
 */
import { copyBytes, Recurrence, sampleText } from '#text';
import { rememberedBytesMax, rememberedTextBytesMax, rememberedTextsMax } from '../limits.ts';
import type { LinkTest } from '../model.ts';
import { createTestSet, type Prefilter, type TestSet } from '../prefilter.ts';
import { RequestText, type TextHome } from './text.ts';
import { TextTable } from './text-table.ts';

export class TextPool implements TextHome {
  readonly prefilter: Prefilter;
  readonly allTests: TestSet;
  readonly scratch: TestSet;
  readonly #remembers: boolean;
  /**
   * The latest values by their samples, and the generation before. A value that recurs moves to the latest; of two
   * values with the same sample, one is kept.
   */
  #young = new Map<number, RequestText>();
  #old = new Map<number, RequestText>();
  #youngBytes = 0;
  readonly #recurrence = new Recurrence();

  constructor(
    prefilter: Prefilter,
    tests: readonly LinkTest[],
    { remembers }: { readonly remembers: boolean },
  ) {
    this.prefilter = prefilter;
    this.allTests = createTestSet(
      prefilter.words,
      tests.map(({ number }) => number),
    );
    this.scratch = createTestSet(prefilter.words);
    this.#remembers = remembers;
  }

  /** The source of the values of one request. */
  forRequest(): RequestTexts {
    return new RequestTexts(this, this.#remembers ? rememberedBytesMax : -1);
  }

  /** Undefined for a value that may never recur. */
  find(value: string, sample: number): RequestText | undefined {
    if (!this.#recurrence.comesAgain(sample)) return undefined;
    const known = this.#young.get(sample);
    if (known?.value === value) return known;
    const older = this.#old.get(sample);
    const text = older?.value === value ? older : new RequestText(copyBytes(value), this, sample);
    this.#remember(text);
    return text;
  }

  #remember(text: RequestText): void {
    if (this.#young.size >= rememberedTextsMax || this.#youngBytes >= rememberedTextBytesMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(text.sample, text);
    this.#youngBytes += text.value.length;
  }
}

/** The values of one request. */
export class RequestTexts implements TextHome {
  readonly prefilter: Prefilter;
  readonly allTests: TestSet;
  readonly scratch: TestSet;
  readonly #pool: TextPool;
  readonly #sharedBytesMax: number;
  readonly #own = new TextTable();

  constructor(pool: TextPool, sharedBytesMax: number) {
    this.prefilter = pool.prefilter;
    this.allTests = pool.allTests;
    this.scratch = pool.scratch;
    this.#pool = pool;
    this.#sharedBytesMax = sharedBytesMax;
  }

  /** Equal values share one text, except for some with equal samples. */
  intern(value: string): RequestText {
    const sample = sampleText(value);
    let text = this.#own.find(value, sample);
    if (text !== undefined) return text;
    if (value.length <= this.#sharedBytesMax) text = this.#pool.find(value, sample);
    if (text === undefined) this.#own.add((text = new RequestText(value, this, sample)));
    return text;
  }
}

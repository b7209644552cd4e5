/**
 * The values of requests with what was computed from them. Most of what a request has was in one before: names, headers,
 * cookies, common words. Short values that come again are therefore remembered for the requests to come, the latest few
 * thousand of them; others, and longer ones, for the request that has them. What is remembered depends on the value alone,
 * never on the request.
 */
import { copyBytes, Recurrence } from '#base';
import { rememberedBytesMax, rememberedTextBytesMax, rememberedTextsMax } from '../limits.ts';
import type { LinkTest } from '../model.ts';
import { createTestSet, type Prefilter } from '../prefilter.ts';
import { Text, type TextHome } from './text.ts';

export class TextPool implements TextHome {
  readonly prefilter: Prefilter;
  readonly allTests: Uint32Array;
  readonly #remembers: boolean;
  /** The latest values, and those before them. A value that comes again moves to the latest. */
  #young = new Map<string, Text>();
  #old = new Map<string, Text>();
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
    this.#remembers = remembers;
  }

  /** Where the values of one request come from. */
  forRequest(): TextHome {
    return new RequestTexts(this, this.#remembers ? rememberedBytesMax : -1);
  }

  /** Undefined for a value that may never come again. */
  find(value: string): Text | undefined {
    return this.#recurrence.comesAgain(value) ? this.intern(value) : undefined;
  }

  intern(value: string): Text {
    const known = this.#young.get(value);
    if (known !== undefined) return known;
    const text = this.#old.get(value) ?? new Text(copyBytes(value), this);
    if (this.#young.size >= rememberedTextsMax || this.#youngBytes >= rememberedTextBytesMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(text.value, text);
    this.#youngBytes += value.length;
    return text;
  }
}

class RequestTexts implements TextHome {
  readonly prefilter: Prefilter;
  readonly allTests: Uint32Array;
  readonly #pool: TextPool;
  readonly #sharedBytesMax: number;
  #own: Map<string, Text> | undefined;

  constructor(pool: TextPool, sharedBytesMax: number) {
    this.prefilter = pool.prefilter;
    this.allTests = pool.allTests;
    this.#pool = pool;
    this.#sharedBytesMax = sharedBytesMax;
  }

  intern(value: string): Text {
    const own = (this.#own ??= new Map());
    let text = own.get(value);
    if (text !== undefined) return text;
    if (value.length <= this.#sharedBytesMax) text = this.#pool.find(value);
    if (text === undefined) own.set(value, (text = new Text(value, this)));
    return text;
  }
}

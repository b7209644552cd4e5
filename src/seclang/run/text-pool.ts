/**
 * The values of requests with what was computed from them. Most of what a request has was in one before: names, headers,
 * cookies, common words. Short values are therefore remembered for the requests to come, the latest few thousand of them;
 * longer ones for the request that has them. What is remembered depends on the value alone, never on the request.
 */
import { rememberedBytesMax, rememberedTextBytesMax, rememberedTextsMax } from '../limits.ts';
import type { LinkTest } from '../model.ts';
import { createTestSet, type Prefilter } from '../prefilter.ts';
import { anyByte } from '../transformations/byte-kinds.ts';
import type { Chain } from '../transformations/chain.ts';
import { type ScanPlan, Text, type TextHome } from './text.ts';

/** Kinds of values that are remembered with their plan: there are a few dozen in real traffic. */
const plansMax = 4_096;

export class TextPool implements TextHome {
  readonly prefilter: Prefilter;
  /** No test at all. */
  readonly none: Uint32Array;
  readonly #remembers: boolean;
  readonly #testsByChain = new Map<Chain, number[]>();
  readonly #plans = new Map<number, ScanPlan>();
  /** The latest values, and those before them. A value that comes again moves to the latest. */
  #young = new Map<string, Text>();
  #old = new Map<string, Text>();
  #youngBytes = 0;

  constructor(
    prefilter: Prefilter,
    tests: readonly LinkTest[],
    { remembers }: { readonly remembers: boolean },
  ) {
    this.prefilter = prefilter;
    this.none = new Uint32Array(prefilter.words);
    this.#remembers = remembers;
    for (const { chain, isMultiMatch, number } of tests)
      for (const seen of isMultiMatch ? chain.steps : [chain]) {
        const others = this.#testsByChain.get(seen);
        if (others === undefined) this.#testsByChain.set(seen, [number]);
        else others.push(number);
      }
  }

  /** Where the values of one request come from. */
  forRequest(): TextHome {
    const long = new Map<string, Text>();
    const home: TextHome = {
      prefilter: this.prefilter,
      none: this.none,
      planFor: (kinds) => this.planFor(kinds),
      intern: (value) => {
        if (this.#remembers && value.length <= rememberedBytesMax) return this.intern(value);
        let text = long.get(value);
        if (text === undefined) long.set(value, (text = new Text(value, home)));
        return text;
      },
    };
    return home;
  }

  intern(value: string): Text {
    const known = this.#young.get(value);
    if (known !== undefined) return known;
    if (value.length > rememberedBytesMax) return new Text(value, this);
    const text = this.#old.get(value) ?? new Text(copyText(value), this);
    if (this.#young.size >= rememberedTextsMax || this.#youngBytes >= rememberedTextBytesMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(text.value, text);
    this.#youngBytes += value.length;
    return text;
  }

  planFor(kinds: number): ScanPlan {
    const known = this.#plans.get(kinds);
    if (known !== undefined) return known;
    const [unchanged, open]: [number[], number[]] = [[], []];
    const changed: ScanPlan['changed'][number][] = [];
    const { words } = this.prefilter;
    for (const [chain, tests] of this.#testsByChain) {
      if ((kinds & chain.touches) === 0) unchanged.push(...tests);
      else if (chain.touches === anyByte) open.push(...tests);
      else changed.push({ chain, tests: createTestSet(words, tests) });
    }
    const plan = { unchanged: createTestSet(words, unchanged), open: createTestSet(words, open), changed };
    if (this.#plans.size >= plansMax) this.#plans.clear();
    this.#plans.set(kinds, plan);
    return plan;
  }
}

/** V8 keeps the whole text that a value was cut out of as long as the value: what is remembered is a copy. */
function copyText(value: string): string {
  return Buffer.from(value, 'latin1').toString('latin1');
}

import { BoundedMap } from '#base';
import type { LinkTest } from '../model.ts';
import { createTestSet, type TestSet } from '../prefilter.ts';
import { anyByte } from '../transformations/byte-kinds.ts';
import type { Chain } from '../transformations/chain.ts';

/** The work for a value with some kinds of bytes to determine which of some tests may match it. */
interface ScanPlan {
  /** Tests that receive the value unchanged: none of their transformations affects it. */
  readonly unchanged: TestSet;
  /** Tests that do not justify a transformation of every value before they run. */
  readonly open: TestSet;
  /** Chains of transformations that may change the value, and the tests that receive the result. */
  readonly changed: readonly { readonly chain: Chain; readonly tests: TestSet }[];
}

/** Plans that are cached, by kinds of bytes: there are a few dozen in real traffic. */
const plansMax = 4_096;

/** Tests that read the same values. */
export class TestGroup {
  readonly set: TestSet;
  /** The words of the set that are not empty. */
  readonly words: Int32Array;
  readonly #testsByChain = new Map<Chain, number[]>();
  readonly #plans = new BoundedMap<number, ScanPlan>(plansMax);

  constructor(tests: readonly LinkTest[], words: number) {
    this.set = createTestSet(
      words,
      tests.map(({ number }) => number),
    );
    this.words = Int32Array.from(this.set.keys()).filter((word) => this.set[word] !== 0);
    for (const { chain, isMultiMatch, number } of tests)
      for (const seen of isMultiMatch ? chain.steps : [chain]) {
        const others = this.#testsByChain.get(seen);
        if (others === undefined) this.#testsByChain.set(seen, [number]);
        else others.push(number);
      }
  }

  planFor(kinds: number): ScanPlan {
    const known = this.#plans.get(kinds);
    if (known !== undefined) return known;
    const [unchanged, open]: [number[], number[]] = [[], []];
    const changed: ScanPlan['changed'][number][] = [];
    const words = this.set.length;
    for (const [chain, tests] of this.#testsByChain) {
      if ((kinds & chain.touches) === 0) unchanged.push(...tests);
      else if (chain.touches === anyByte) open.push(...tests);
      else changed.push({ chain, tests: createTestSet(words, tests) });
    }
    const plan = { unchanged: createTestSet(words, unchanged), open: createTestSet(words, open), changed };
    this.#plans.set(kinds, plan);
    return plan;
  }
}

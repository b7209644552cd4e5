/**
 * A value of a request with everything that was computed from it: its kinds of bytes, what each chain of transformations
 * makes of it, and which tests of rules it may match.
 */
import { spendSteps, suspectSteps } from '#base';
import { hasTest, type Prefilter } from '../prefilter.ts';
import { findByteKinds } from '../transformations/byte-kinds.ts';
import type { Chain } from '../transformations/chain.ts';

/** What has to be done to a value with some kinds of bytes, to know which tests may match it. */
export interface ScanPlan {
  /** Tests that see the value as it is: none of their transformations changes it. */
  readonly unchanged: Uint32Array;
  /** Tests that are not worth a transformation of every value before they are asked for. */
  readonly open: Uint32Array;
  /** Chains of transformations that may change the value, and the tests that see the result. */
  readonly changed: readonly { readonly chain: Chain; readonly tests: Uint32Array }[];
}

/** Where texts come from: equal values are one text. */
export interface TextHome {
  readonly prefilter: Prefilter;
  /** The empty set of tests. */
  readonly none: Uint32Array;
  planFor(kinds: number): ScanPlan;
  intern(value: string): Text;
}

/** What the slowest transformation takes at most. */
const stepsPerByteChanged = 10;

export class Text {
  readonly value: string;
  /** Which kinds of bytes (`byte-kinds.ts`) occur. */
  readonly kinds: number;
  readonly #home: TextHome;
  #byChain: (Text | undefined)[] | undefined;
  #hits: Uint32Array | undefined;
  #candidates: Uint32Array | undefined;

  constructor(value: string, home: TextHome) {
    this.value = value;
    this.kinds = findByteKinds(value);
    this.#home = home;
  }

  transform(chain: Chain): Text {
    if ((this.kinds & chain.touches) === 0) return this;
    const byChain = (this.#byChain ??= []);
    const known = byChain[chain.number];
    if (known !== undefined) return known;
    const after = this.transform(chain.parent!).#apply(chain);
    byChain[chain.number] = after;
    return after;
  }

  /** The tests that may match the value after their own transformations. */
  get candidates(): Uint32Array {
    this.#candidates ??= this.#findCandidates();
    return this.#candidates;
  }

  /** A test has looked at the value, after its transformations, and does not match it. */
  ruleOut(test: number): void {
    const candidates = this.candidates;
    if (!hasTest(candidates, test)) return;
    candidates[test >>> 5]! &= ~(1 << (test & 31));
    if (candidates.every((word) => word === 0)) this.#candidates = this.#home.none;
  }

  /** The tests that may match the value as it stands. */
  #scan(): Uint32Array {
    if (this.#hits === undefined) {
      spendSteps(1 + (this.value.length >>> 1));
      this.#hits = this.#home.prefilter.scan(this.value);
    }
    return this.#hits;
  }

  #findCandidates(): Uint32Array {
    const { unchanged, open, changed } = this.#home.planFor(this.kinds);
    const own = this.#scan();
    const found = new Uint32Array(own.length);
    let any = 0;
    for (let word = 0; word < found.length; word++) {
      any |= found[word] = (own[word]! & unchanged[word]!) | open[word]!;
    }
    for (const { chain, tests } of changed) {
      const hits = this.transform(chain).#scan();
      for (let word = 0; word < found.length; word++) any |= found[word]! |= hits[word]! & tests[word]!;
    }
    return any === 0 ? this.#home.none : found;
  }

  #apply({ last }: Chain): Text {
    if ((this.kinds & last!.touches) === 0) return this;
    suspectSteps(stepsPerByteChanged * this.value.length);
    const changed = last!.apply(this.value);
    if (changed === this.value) return this;
    const after = this.#home.intern(changed);
    // Literals are looked for without case.
    if (last!.changesCaseOnly === true) after.#hits ??= this.#scan();
    return after;
  }
}

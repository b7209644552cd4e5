/**
 * A value of the request with everything that was computed from it: its kinds of bytes, what each chain of
 * transformations makes of it, and which rules' literals occur in it. Equal values of a request are one text.
 */
import { spendSteps, suspectSteps } from '#base';
import type { Prefilter } from '../prefilter.ts';
import { findByteKinds } from '../transformations/byte-kinds.ts';
import type { Chain } from '../transformations/chain.ts';

/** What the slowest transformation takes at most. */
const stepsPerByteChanged = 10;

export class Text {
  readonly value: string;
  readonly #pool: TextPool;
  readonly #byChain: (Text | undefined)[] = [];
  #kinds: number | undefined;
  #hits: Uint32Array | undefined;

  constructor(value: string, pool: TextPool) {
    this.value = value;
    this.#pool = pool;
  }

  transform(chain: Chain): Text {
    if ((this.kinds & chain.touches) === 0) return this;
    const known = this.#byChain[chain.number];
    if (known !== undefined) return known;
    const before = this.transform(chain.parent!);
    const after = before.#apply(chain);
    this.#byChain[chain.number] = after;
    return after;
  }

  /** Which kinds of bytes (`byte-kinds.ts`) occur. */
  get kinds(): number {
    this.#kinds ??= findByteKinds(this.value);
    return this.#kinds;
  }

  /** By filter: whether one of its literals occurs. */
  get hits(): Uint32Array {
    if (this.#hits === undefined) {
      spendSteps(1 + (this.value.length >>> 1));
      this.#hits = this.#pool.prefilter.scan(this.value);
    }
    return this.#hits;
  }

  #apply({ last }: Chain): Text {
    if ((this.kinds & last!.touches) === 0) return this;
    suspectSteps(stepsPerByteChanged * this.value.length);
    const changed = last!.apply(this.value);
    if (changed === this.value) return this;
    const after = this.#pool.intern(changed);
    // Literals are looked for without case.
    if (last!.changesCaseOnly === true) after.#hits ??= this.hits;
    return after;
  }
}

export class TextPool {
  readonly prefilter: Prefilter;
  readonly #texts = new Map<string, Text>();

  constructor(prefilter: Prefilter) {
    this.prefilter = prefilter;
  }

  intern(value: string): Text {
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    const text = new Text(value, this);
    this.#texts.set(value, text);
    return text;
  }
}

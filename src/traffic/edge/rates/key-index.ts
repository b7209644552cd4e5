/**
 * Finds the place of a key among hundreds of thousands, with as little waiting for memory as possible: that is most of what
 * a hit costs. A `Map` of texts takes the bucket, the entry and the text from memory; this takes the bucket and the tag,
 * which lies beside what the caller reads next.
 *
 * Two keys are taken for one if their bucket and their tag are the same, which among 200,000 keys happens to one in some
 * thousand million, and to nobody on purpose: hashes begin with a secret of the process. Whoever acts on a key compares its
 * text.
 */
import { randomInt } from 'node:crypto';

interface Tags {
  readonly values: Uint32Array;
  /** How many values there are for a place, and which of them is the tag. */
  readonly perPlace: number;
  readonly at: number;
}

const secret = randomInt(2 ** 32);
const otherSecret = randomInt(2 ** 32);

export class KeyIndex {
  /** One more than the first place of each bucket, and than the next place after each; 0 if there is none. */
  readonly #heads: Uint32Array;
  readonly #nexts: Uint32Array;
  readonly #mask: number;
  readonly #tags: Tags;
  /** Of the key that was hashed last. */
  #bucket = 0;
  #tag = 0;

  constructor(placesMax: number, tags: Tags) {
    const buckets = 2 ** Math.ceil(Math.log2(placesMax * 2));
    this.#heads = new Uint32Array(buckets);
    this.#nexts = new Uint32Array(placesMax);
    this.#mask = buckets - 1;
    this.#tags = tags;
  }

  /** Undefined if there is no such key. */
  find(key: string): number | undefined {
    this.#hash(key);
    const { values, perPlace, at } = this.#tags;
    for (let next = this.#heads[this.#bucket]!; next !== 0; next = this.#nexts[next - 1]!)
      if (values[(next - 1) * perPlace + at] === this.#tag) return next - 1;
    return undefined;
  }

  /** The key is not there yet, and the place is free. */
  add(key: string, place: number): void {
    this.#hash(key);
    const { values, perPlace, at } = this.#tags;
    values[place * perPlace + at] = this.#tag;
    this.#nexts[place] = this.#heads[this.#bucket]!;
    this.#heads[this.#bucket] = place + 1;
  }

  remove(key: string, place: number): void {
    this.#hash(key);
    const after = this.#nexts[place]!;
    let next = this.#heads[this.#bucket]!;
    if (next === place + 1) {
      this.#heads[this.#bucket] = after;
      return;
    }
    while (this.#nexts[next - 1] !== place + 1) next = this.#nexts[next - 1]!;
    this.#nexts[next - 1] = after;
  }

  #hash(key: string): void {
    let one = secret;
    let other = otherSecret;
    for (let at = 0; at < key.length; at++) {
      const code = key.charCodeAt(at);
      one = Math.imul(one ^ code, 0x85ebca6b);
      one ^= one >>> 13;
      other = Math.imul(other ^ code, 0xc2b2ae35);
      other = (other << 15) | (other >>> 17);
    }
    this.#bucket = (one ^ (one >>> 16)) & this.#mask;
    this.#tag = (other ^ (other >>> 15)) >>> 0;
  }
}

/**
 * Finds the place of a key among hundreds of thousands with as few memory accesses as possible: they are most of the
 * cost of a hit. A `Map` with string keys loads the bucket, the entry and the string; this index loads the bucket and
 * the tag, which lies beside the data that the caller reads next.
 *
 * Two keys with the same bucket and tag are treated as one. Among 200,000 keys this happens to one in some thousand
 * million, and cannot be provoked: hashes start with a secret of the process. A caller that acts on a key compares its
 * text.
 */
import { randomInt } from 'node:crypto';

interface Tags {
  readonly values: Uint32Array;
  /** The number of values per place, and which of them is the tag. */
  readonly perPlace: number;
  readonly at: number;
}

const secret = randomInt(2 ** 32);
const otherSecret = randomInt(2 ** 32);

export class KeyIndex {
  /** One more than the first place of each bucket (`#heads`) and than the place after each (`#nexts`); 0 for none. */
  readonly #heads: Uint32Array;
  readonly #nexts: Uint32Array;
  readonly #mask: number;
  readonly #tags: Tags;
  /** The bucket of the key that was hashed last. */
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

  /** The key must not be present, and the place must be free. */
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

/**
 * Randomness that is determined by a seed and a purpose. Draws for one purpose do not change those for another, so a
 * story without one of its steps stays otherwise the same.
 */
export class Chance {
  readonly #seed: number;
  /** For each purpose, its start value and the number of draws. */
  readonly #drawn = new Map<string, { readonly start: number; count: number }>();

  constructor(seed: number) {
    this.#seed = mix(seed ^ 0x9e3779b9);
  }

  /**
   * A number from 0 up to 1 for something that happens once: always the same. There are few purposes; a number
   * distinguishes the occasions, which is much faster to hash than a text.
   */
  of(purpose: string, about = 0): number {
    const known = purposes.getOrInsertComputed(purpose, hashPurpose);
    return mix(known ^ mix(this.#seed + Math.imul(about, 0x9e3779b1))) / 2 ** 32;
  }

  /** A number from 0 up to 1, another one at each call. */
  next(purpose: string): number {
    let drawn = this.#drawn.get(purpose);
    if (drawn === undefined) {
      drawn = { start: hash(purpose, this.#seed), count: 0 };
      this.#drawn.set(purpose, drawn);
    }
    return mix(drawn.start + Math.imul(drawn.count++, 0x6d2b79f5)) / 2 ** 32;
  }

  between(purpose: string, min: number, max: number): number {
    return min + this.next(purpose) * (max - min);
  }

  /** A whole number, both bounds included. */
  whole(purpose: string, min: number, max: number): number {
    return min + Math.floor(this.next(purpose) * (max - min + 1));
  }

  bytes(purpose: string, count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.whole(purpose, 0, 255)));
  }
}

/** The hashes of purposes, the same in every life. */
const purposes = new Map<string, number>();

function hashPurpose(purpose: string): number {
  return hash(purpose, 0x811c9dc5);
}

/** FNV-1a over UTF-16 units. */
export function hash(text: string, start: number): number {
  let value = start;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value;
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

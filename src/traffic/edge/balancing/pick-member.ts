/** Picks one of some: at random, by a key that is always answered the same, or the one with the least to do. */

export interface Weighted<T> {
  readonly item: T;
  /** More than 0. */
  readonly weight: number;
}

/** Undefined if there are none. */
export function pickRandom<T>(among: readonly Weighted<T>[], random = Math.random): T | undefined {
  let left = random() * among.reduce((sum, { weight }) => sum + weight, 0);
  for (const { item, weight } of among) {
    left -= weight;
    if (left < 0) return item;
  }
  return among.at(-1)?.item;
}

/**
 * Rendezvous hashing: when one of them goes, only its keys go elsewhere; each gets keys in proportion to its weight.
 */
export function pickByKey<T>(
  among: readonly Weighted<T>[],
  key: string,
  nameOf: (item: T) => string,
): T | undefined {
  let best: T | undefined;
  let bestScore = -Infinity;
  for (const { item, weight } of among) {
    const score = -weight / Math.log(hashToUnit(`${nameOf(item)}\n${key}`));
    if (score <= bestScore) continue;
    best = item;
    bestScore = score;
  }
  return best;
}

/** By what each has to do for its weight; of those that are equal, any. */
export function pickLeast<T>(
  among: readonly Weighted<T>[],
  loadOf: (item: T) => number,
  random = Math.random,
): T | undefined {
  let least = Infinity;
  let found: Weighted<T>[] = [];
  for (const each of among) {
    const load = (loadOf(each.item) + 1) / each.weight;
    if (load < least) found = [];
    if (load <= least) found.push(each);
    least = Math.min(least, load);
  }
  return found[Math.floor(random() * found.length)]?.item;
}

/** FNV-1a with the last steps of MurmurHash3, between 0 and 1 and never one of them. */
function hashToUnit(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (((value ^ (value >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}

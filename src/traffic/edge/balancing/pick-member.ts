/** Picks one item of several: at random, by a key (always the same item), or the one with the least load. */

export interface Weighted<T> {
  readonly item: T;
  /** Greater than 0. */
  readonly weight: number;
}

/** Undefined if there are no items. */
export function pickRandom<T>(among: readonly Weighted<T>[], random = Math.random): T | undefined {
  let left = random() * among.reduce((sum, { weight }) => sum + weight, 0);
  for (const { item, weight } of among) {
    left -= weight;
    if (left < 0) return item;
  }
  return among.at(-1)?.item;
}

/** Rendezvous hashing: when an item is removed, only its keys move; each item gets keys in proportion to its weight. */
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

/** Compares load divided by weight; ties are broken at random. */
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

/** FNV-1a with the final steps of MurmurHash3; the result is strictly between 0 and 1. */
function hashToUnit(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (((value ^ (value >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}

/**
 * The keys that lists have found lately, by their range. They hold as long as no key has come or gone; that a value has
 * changed does not matter, since values are looked up again. Small on purpose: it saves asking the same again and again.
 */
import type { BinaryRange } from './key-values.ts';

const listsMax = 16;
/** Of all lists together. The strings are mostly those that the cache of values holds, too. */
const keysMax = 2_048;

export class KeyLists {
  readonly #lists = new Map<string, readonly string[]>();
  #keys = 0;
  #changes = 0;

  /** How often a key has come or gone, as far as that was of interest here. */
  get changes(): number {
    return this.#changes;
  }

  get isEmpty(): boolean {
    return this.#lists.size === 0;
  }

  get(range: BinaryRange): readonly string[] | undefined {
    return this.#lists.size === 0 ? undefined : this.#lists.get(textOf(range));
  }

  set(range: BinaryRange, keys: readonly string[]): void {
    if (keys.length > keysMax) return;
    if (this.#lists.size === listsMax || this.#keys + keys.length > keysMax) this.#forget();
    this.#lists.set(textOf(range), keys);
    this.#keys += keys.length;
  }

  /** A key has come or gone, or may have. */
  clear(): void {
    this.#changes++;
    if (this.#lists.size > 0) this.#forget();
  }

  #forget(): void {
    this.#lists.clear();
    this.#keys = 0;
  }
}

function textOf({ start, end, reverse, limit }: BinaryRange): string {
  return `${reverse ? '-' : '+'}${limit ?? ''},${start.length},${end === undefined ? '' : 'to'},${start}${end ?? ''}`;
}

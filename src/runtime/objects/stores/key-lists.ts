/**
 * The key lists found recently, by their range. They are valid until a key is added or removed; a changed value does
 * not matter, since values are looked up again. Small on purpose: it only saves repeated identical lists.
 */
import type { BinaryRange } from './key-values.ts';

const listsMax = 16;
/** Of all lists together. Most of the strings are also in the cache of values. */
const keysMax = 2_048;

export class KeyLists {
  readonly #lists = new Map<string, readonly string[]>();
  #keys = 0;
  #changes = 0;

  /** How often a key was added or removed while it mattered here. */
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

  /** A key was added or removed, or may have been. */
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

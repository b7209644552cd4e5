/**
 * The most recently used entries, up to a size: when there are too many, the least recently used is evicted. The entry
 * that was just added always stays, however large it is.
 *
 * ```ts
 * const blocks = new RecentMap<number, Buffer>({ sizeMax: 1 << 20, sizeOf: ({ length }) => length });
 * blocks.get(7) ?? blocks.set(7, readBlock(7));
 * ```
 */
export class RecentMap<Key, Value> {
  /** In the order of use: a Map keeps the order of insertion. */
  readonly #entries = new Map<Key, Value>();
  readonly #sizeMax: number;
  readonly #sizeOf: (value: Value, key: Key) => number;
  readonly #onDropped: ((value: Value, key: Key) => void) | undefined;
  #size = 0;

  /** Without `sizeOf`, the size is the number of entries. `onDropped` gets evicted entries, not deleted ones. */
  constructor(options: {
    readonly sizeMax: number;
    readonly sizeOf?: (value: Value, key: Key) => number;
    readonly onDropped?: (value: Value, key: Key) => void;
  }) {
    this.#sizeMax = options.sizeMax;
    this.#sizeOf = options.sizeOf ?? (() => 1);
    this.#onDropped = options.onDropped;
  }

  /** The total size of all entries. */
  get size(): number {
    return this.#size;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** Finds an entry, which counts as a use of it. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Finds an entry without using it. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): Value {
    this.delete(key);
    this.#entries.set(key, value);
    this.#size += this.#sizeOf(value, key);
    if (this.#size > this.#sizeMax) this.#makeRoom(key);
    return value;
  }

  delete(key: Key): boolean {
    const value = this.#entries.get(key);
    if (value === undefined) return false;
    this.#size -= this.#sizeOf(value, key);
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  /** The least recently used comes first. */
  keys(): IterableIterator<Key> {
    return this.#entries.keys();
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  #makeRoom(added: Key): void {
    for (const [key, value] of this.#entries) {
      if (this.#size <= this.#sizeMax || key === added) return;
      this.delete(key);
      this.#onDropped?.(value, key);
    }
  }
}

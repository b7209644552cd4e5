/**
 * Values of key-value objects in memory, all objects together under one budget of bytes. The least recently used are
 * evicted first. An absent key is also remembered: `null`.
 */
export interface CachedValue {
  readonly shelf: Map<string, CachedValue>;
  readonly key: string;
  readonly value: Uint8Array | null;
  readonly bytes: number;
  newer: CachedValue | undefined;
  older: CachedValue | undefined;
}

/** The cost of an entry in addition to its key and value. */
const entryOverheadBytes = 160;

export class ValueCache {
  readonly #bytesMax: number;
  #bytes = 0;
  #newest: CachedValue | undefined;
  #oldest: CachedValue | undefined;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a shelf for one object's values. */
  shelf(): Map<string, CachedValue> {
    return new Map();
  }

  get(shelf: Map<string, CachedValue>, key: string, touch: boolean): Uint8Array | null | undefined {
    const entry = shelf.get(key);
    if (entry === undefined) return undefined;
    if (touch && entry !== this.#newest) {
      this.#unlink(entry);
      this.#link(entry);
    }
    return entry.value;
  }

  set(shelf: Map<string, CachedValue>, key: string, value: Uint8Array | null): void {
    this.forget(shelf, key);
    const bytes = entryOverheadBytes + key.length + (value?.length ?? 0);
    const entry: CachedValue = { shelf, key, value, bytes, newer: undefined, older: undefined };
    shelf.set(key, entry);
    this.#bytes += bytes;
    this.#link(entry);
    while (this.#bytes > this.#bytesMax && this.#oldest !== undefined) {
      this.forget(this.#oldest.shelf, this.#oldest.key);
    }
  }

  forget(shelf: Map<string, CachedValue>, key: string): void {
    const entry = shelf.get(key);
    if (entry === undefined) return;
    shelf.delete(key);
    this.#bytes -= entry.bytes;
    this.#unlink(entry);
  }

  clear(shelf: Map<string, CachedValue>): void {
    for (const key of shelf.keys()) this.forget(shelf, key);
  }

  #link(entry: CachedValue): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink(entry: CachedValue): void {
    if (entry.newer === undefined) this.#newest = entry.older;
    else entry.newer.older = entry.older;
    if (entry.older === undefined) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
  }
}

/**
 * The content of `Tables`, in memory. There are few objects with few keys: they are sorted when they are listed. A read
 * takes as long as the owner of the home decides, like one that needs the disk; its result is what was stored when it
 * began.
 */
import type { TableChange, KeyedValue, KeyRange } from '#tables';

/** How long a read takes; undefined if it needs no disk. */
export type ReadDelay = (owner: string, key: string) => Promise<void> | undefined;

export class MemoryTables {
  readonly #rows = new Map<string, Map<string, Uint8Array>>();

  readonly #read: ReadDelay | undefined;

  constructor(read?: ReadDelay) {
    this.#read = read;
  }

  get(owner: string, key: string): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const value = this.peek(owner, key);
    const delay = this.#read?.(owner, key);
    return delay === undefined ? value : delay.then(() => value);
  }

  /** The result of a read, synchronously. */
  peek(owner: string, key: string): Uint8Array | undefined {
    return this.#rows.get(owner)?.get(key);
  }

  /** The result of a list, synchronously. */
  peekAll(owner: string): KeyedValue[] {
    return this.#list(owner, {});
  }

  async list(owner: string, range: KeyRange = {}): Promise<KeyedValue[]> {
    const rows = this.#list(owner, range);
    await this.#read?.(owner, `list from ${range.start ?? ''}`);
    return rows;
  }

  async *iterate(owner: string, range: KeyRange = {}): AsyncGenerator<KeyedValue, void, void> {
    yield* this.#list(owner, range);
  }

  /** The owners that have rows and start with these bytes, in order. */
  owners(prefix = ''): string[] {
    return [...this.#rows.keys()].filter((owner) => owner.startsWith(prefix)).toSorted();
  }

  clear(): void {
    this.#rows.clear();
  }

  apply(changes: readonly TableChange[]): void {
    for (const change of changes) {
      if ('drop' in change) {
        this.#rows.delete(change.owner);
        continue;
      }
      const { owner, key, value } = change;
      let rows = this.#rows.get(owner);
      if (rows === undefined) this.#rows.set(owner, (rows = new Map()));
      if (value !== null) rows.set(key, value);
      else if (rows.delete(key) && rows.size === 0) this.#rows.delete(owner);
    }
  }

  #list(owner: string, { start = '', end, reverse = false, limit }: KeyRange): KeyedValue[] {
    const rows = [...(this.#rows.get(owner) ?? [])]
      .filter(([key]) => key >= start && (end === undefined || key < end))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    if (reverse) rows.reverse();
    return limit === undefined ? rows : rows.slice(0, limit);
  }
}

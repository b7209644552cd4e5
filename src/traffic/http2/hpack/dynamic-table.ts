/** The fields that one side of a connection has sent and both sides store, newest first, up to a number of bytes. */
import type { TableEntry } from './table-entry.ts';

export class DynamicTable {
  /** Oldest first; those before `#first` are evicted. */
  #entries: TableEntry[] = [];
  #first = 0;
  #bytes = 0;
  #bytesMax: number;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get size(): number {
    return this.#entries.length - this.#first;
  }

  /** 0 is the newest. */
  get(index: number): TableEntry | undefined {
    return index < this.size ? this.#entries[this.#entries.length - 1 - index] : undefined;
  }

  /** An entry larger than the whole table empties it and is not added. */
  add(entry: TableEntry): void {
    this.#bytes += entry.bytes;
    this.#entries.push(entry);
    this.#evict();
  }

  resize(bytesMax: number): void {
    this.#bytesMax = bytesMax;
    this.#evict();
  }

  #evict(): void {
    while (this.#bytes > this.#bytesMax) {
      this.#bytes -= this.#entries[this.#first]!.bytes;
      this.#first++;
    }
    // Entries are seldom moved, so the average cost of adding is constant.
    if (this.#first < 32 || this.#first * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }
}

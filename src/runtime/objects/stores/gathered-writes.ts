/**
 * Key-value writes that are not yet in their table, in layers: first those of ended turns, then those of the open turn,
 * then those of each transaction inside it that has no savepoint in the database. A turn that only gets and puts needs
 * no SQLite statement to be committed atomically, or to be undone.
 */

/** By key; null: deleted. */
type Layer = Map<string, Uint8Array | null>;

/** Ended turns may keep this much in memory; beyond it, it is written to the table. */
const endedBytesMax = 1024 * 1024;

export class GatheredWrites {
  readonly ended: Layer = new Map();
  #endedBytes = 0;
  /** The layer of the turn, then those of its transactions; never empty. */
  #layers: Layer[] = [new Map()];

  /** The newest write of a key; undefined if there is none. */
  get(key: string): Uint8Array | null | undefined {
    for (let at = this.#layers.length - 1; at >= 0; at--) {
      const value = this.#layers[at]!.get(key);
      if (value !== undefined) return value;
    }
    return this.ended.get(key);
  }

  set(key: string, value: Uint8Array | null): void {
    this.#layers.at(-1)!.set(key, value);
  }

  get oldest(): Layer {
    return this.#layers[0]!;
  }

  /** Begins a transaction. */
  push(): void {
    this.#layers.push(new Map());
  }

  /** Removes the oldest layer, which is now in the table; a savepoint then represents the next transaction. */
  shift(): void {
    this.#layers.shift();
  }

  /** How many transactions have no savepoint. */
  get transactions(): number {
    return this.#layers.length - 1;
  }

  /** Ends all transactions but the first few: their writes become part of the enclosing layer. */
  merge(transactions: number): void {
    while (this.transactions > transactions) {
      const layer = this.#layers.pop()!;
      for (const [key, value] of layer) this.set(key, value);
    }
  }

  /** Undoes all transactions but the first few. */
  drop(transactions: number): void {
    this.#layers.length = transactions + 1;
  }

  /** Ends the turn. Returns false if there is too much to keep in memory: then it must be written to the table. */
  endTurn(): boolean {
    let bytes = this.#endedBytes;
    for (const [key, value] of this.oldest) bytes += key.length + (value?.length ?? 0);
    if (bytes > endedBytesMax) return false;
    this.#endedBytes = bytes;
    for (const [key, value] of this.oldest) this.ended.set(key, value);
    this.clearTurn();
    return true;
  }

  clearTurn(): void {
    this.#layers = [new Map()];
  }

  /** The writes of ended turns are in the table now. */
  clearEnded(): void {
    this.ended.clear();
    this.#endedBytes = 0;
  }
}

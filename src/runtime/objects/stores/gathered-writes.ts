/**
 * Key-value writes that are not yet in their table, in layers: what turns wrote that have ended, then what the turn that
 * is open has written, then what each transaction inside it has, as far as there is no savepoint for it in the
 * database. A turn that does nothing but get and put needs no statement of SQLite to be whole, or to be undone.
 */

/** By key; null: deleted. */
type Layer = Map<string, Uint8Array | null>;

/** Turns that have ended may wait with this much: then they go to the table. */
const endedBytesMax = 1024 * 1024;

export class GatheredWrites {
  readonly ended: Layer = new Map();
  #endedBytes = 0;
  /** The turn's own, then those of its transactions; never empty. */
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

  /** A transaction begins. */
  push(): void {
    this.#layers.push(new Map());
  }

  /** The oldest layer is in the table, behind which a savepoint stands for the transaction that comes next. */
  shift(): void {
    this.#layers.shift();
  }

  /** How many transactions have no savepoint. */
  get transactions(): number {
    return this.#layers.length - 1;
  }

  /** All but the first so many transactions are over: what they wrote is part of what is around them. */
  merge(transactions: number): void {
    while (this.transactions > transactions) {
      const layer = this.#layers.pop()!;
      for (const [key, value] of layer) this.set(key, value);
    }
  }

  /** All but the first so many transactions are undone. */
  drop(transactions: number): void {
    this.#layers.length = transactions + 1;
  }

  /** The turn ends. Answers false if there is too much to wait with: then it is to be brought to the table. */
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

  /** What turns wrote that have ended is in the table. */
  clearEnded(): void {
    this.ended.clear();
    this.#endedBytes = 0;
  }
}

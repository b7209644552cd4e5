/**
 * Merges many sources: the rows of all of them in order, each row key once, as in the newest source, and without rows
 * that a newer source has dropped. Deletions and drops themselves are returned (a merge of some of the runs must keep
 * them), with null as their value.
 *
 * In reverse, a drop comes after the rows that it hides. So a reverse merge is for ranges inside one owner, and the caller
 * leaves out the sources that a drop hides.
 */
import { type RowCursor, type RowValue, isDrop, makeOwnerEnd, readOwner } from '../row.ts';

export class Merge implements RowCursor {
  key: string | undefined;
  readonly #newestFirst: readonly RowCursor[];
  readonly #reverse: boolean;
  #current: RowCursor | undefined;
  #pending: Array<Promise<void>> = [];

  private constructor(newestFirst: readonly RowCursor[], reverse: boolean) {
    this.#newestFirst = newestFirst;
    this.#reverse = reverse;
  }

  static async open(newestFirst: readonly RowCursor[], reverse = false): Promise<Merge> {
    const merge = new Merge(newestFirst, reverse);
    await merge.#settle();
    return merge;
  }

  get value(): RowValue {
    return this.#current?.value ?? null;
  }

  next(): Promise<void> | undefined {
    const passed = this.key;
    for (const cursor of this.#newestFirst) {
      if (cursor.key === passed) this.#await(cursor.next());
    }
    return this.#settle();
  }

  seek(key: string): Promise<void> | undefined {
    for (const cursor of this.#newestFirst) {
      if (cursor.key !== undefined && cursor.key < key) this.#await(cursor.seek(key));
    }
    return this.#settle();
  }

  #await(moving: Promise<void> | undefined): void {
    if (moving !== undefined) this.#pending.push(moving);
  }

  /** Chooses the current row once no cursor is moving any more. */
  #settle(): Promise<void> | undefined {
    if (this.#pending.length === 0) return this.#choose();
    const pending = this.#pending;
    this.#pending = [];
    return Promise.all(pending).then(() => this.#choose());
  }

  #choose(): Promise<void> | undefined {
    let best: RowCursor | undefined;
    let bestKey: string | undefined;
    for (const cursor of this.#newestFirst) {
      const { key } = cursor;
      if (key === undefined) continue;
      if (bestKey === undefined || (this.#reverse ? key > bestKey : key < bestKey)) {
        best = cursor;
        bestKey = key;
      }
    }
    this.#current = best;
    this.key = bestKey;
    return best !== undefined && isDrop(bestKey!) ? this.#skipHidden(best, readOwner(bestKey!)) : undefined;
  }

  /** Moves the sources older than a drop past the owner, before they can be chosen. */
  #skipHidden(drop: RowCursor, owner: string): Promise<void> | undefined {
    const end = makeOwnerEnd(owner);
    const moving: Array<Promise<void>> = [];
    for (let i = this.#newestFirst.indexOf(drop) + 1; i < this.#newestFirst.length; i++) {
      const cursor = this.#newestFirst[i]!;
      if (cursor.key === undefined || cursor.key >= end) continue;
      const seeking = cursor.seek(end);
      if (seeking !== undefined) moving.push(seeking);
    }
    return moving.length === 0 ? undefined : Promise.all(moving).then(() => undefined);
  }
}

/**
 * The rows applied since the last flush, in memory and in order. After a crash they come from the journal again. A memtable
 * is either the active one or, while it is being written to a run, frozen.
 */
import { memtableRowBytes } from './limits.ts';
import { type RowCursor, type RowRange, type RowValue, makeDropKey, makeOwnerEnd, unpin } from './row.ts';
import { SortedMap, type SortedWalk } from './sorted-map.ts';

export class Memtable {
  /** The position of the last batch here, or the position that the journal has reached without one. */
  position: number;
  readonly #rows = new SortedMap<RowValue>();
  #drops = 0;
  #bytes = 0;

  constructor(position: number) {
    this.position = position;
  }

  get rowCount(): number {
    return this.#rows.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  set(rowKey: string, value: RowValue): void {
    const row = value === null ? null : unpin(value);
    const before = this.#rows.set(rowKey, row);
    if (before !== undefined) this.#bytes -= measureRow(rowKey, before);
    this.#bytes += measureRow(rowKey, row);
  }

  /** Removes the owner's rows here and hides those in older sources. */
  drop(owner: string): void {
    const drop = makeDropKey(owner);
    this.#rows.removeRange(drop, makeOwnerEnd(owner), (rowKey, value) => {
      this.#bytes -= measureRow(rowKey, value);
      if (rowKey === drop) this.#drops -= 1;
    });
    this.#drops += 1;
    this.set(drop, null);
  }

  /** The value, null if it is deleted here, undefined if older sources must be searched. */
  find(owner: string, rowKey: string): RowValue | undefined {
    const value = this.#rows.get(rowKey);
    if (value === undefined && this.drops(owner)) return null;
    return value;
  }

  drops(owner: string): boolean {
    return this.#drops > 0 && this.#rows.get(makeDropKey(owner)) !== undefined;
  }

  /** A cursor on the current rows. */
  openCursor(range: RowRange, reverse: boolean): RowCursor {
    return new MemtableCursor(this.#rows.walk(), range, reverse);
  }
}

const measureRow = (rowKey: string, value: RowValue): number =>
  memtableRowBytes + rowKey.length + (value?.length ?? 0);

class MemtableCursor implements RowCursor {
  readonly #walk: SortedWalk<RowValue>;
  readonly #range: RowRange;
  readonly #reverse: boolean;
  key: string | undefined;

  constructor(walk: SortedWalk<RowValue>, range: RowRange, reverse: boolean) {
    this.#walk = walk;
    this.#range = range;
    this.#reverse = reverse;
    walk.seek(reverse ? range.upper : range.lower);
    if (reverse) walk.moveBack();
    this.#settle();
  }

  get value(): RowValue {
    return this.#walk.value ?? null;
  }

  next(): undefined {
    if (this.#reverse) this.#walk.moveBack();
    else this.#walk.moveForward();
    this.#settle();
  }

  seek(key: string): undefined {
    this.#walk.seek(key);
    this.#settle();
  }

  #settle(): void {
    const key = this.#walk.key;
    const inside = key !== undefined && key >= this.#range.lower && key < this.#range.upper;
    this.key = inside ? key : undefined;
  }
}

/**
 * A row is what runs and memtables are made of: a row key and a value. Row keys are binary strings whose
 * byte order is the order of the store:
 *
 * - `owner 00` is a drop: it deletes everything of this owner in older sources. It has no value.
 * - `owner 01 key` is an entry. Without a value it is a deletion, which hides the key in older sources.
 *
 * `owner 02` is never stored: it is the first row key after all rows of an owner.
 */
import { ownerBytes } from './limits.ts';

/** Bytes of a value, or null for a deletion or a drop. */
export type RowValue = Uint8Array | null;

export const makeDropKey = (owner: string): string => `${owner}\x00`;
export const makeEntryKey = (owner: string, key: string): string => `${owner}\x01${key}`;
export const makeOwnerEnd = (owner: string): string => `${owner}\x02`;

export const isDrop = (rowKey: string): boolean => rowKey.charCodeAt(ownerBytes) === 0;
export const readOwner = (rowKey: string): string => rowKey.slice(0, ownerBytes);
export const readKey = (rowKey: string): string => rowKey.slice(ownerBytes + 1);

/**
 * A small view would keep the large buffer behind it alive, uncounted, so it is copied. Tiny values are always copied: V8
 * keeps arrays of up to 64 bytes on its heap, and merely reading `buffer` moves them off.
 */
export function unpin(value: Uint8Array): Uint8Array {
  const isTiny = value.length <= 64;
  return isTiny || value.buffer.byteLength > 2 * value.length ? new Uint8Array(value) : value;
}

/** Row keys from `lower` (inclusive) to `upper` (exclusive). */
export interface RowRange {
  readonly lower: string;
  readonly upper: string;
}

/** All rows of the owners that start with these bytes. No row key has ff after its owner. */
export function makePrefixRange(prefix: string): RowRange {
  return { lower: prefix, upper: prefix + '\xff'.repeat(ownerBytes + 1 - prefix.length) };
}

/**
 * A position in a sorted source. `key` is undefined after the last row of the range. Moving is synchronous if the next
 * row is in memory, which is nearly always the case: only a returned promise needs awaiting.
 */
export interface RowCursor {
  readonly key: string | undefined;
  /** The value of the current row. It may be a view of a larger buffer: copy it to keep it. */
  readonly value: RowValue;
  next(): Promise<void> | undefined;
  /** Moves to the first row at or after `key`. Forward cursors only. */
  seek(key: string): Promise<void> | undefined;
}

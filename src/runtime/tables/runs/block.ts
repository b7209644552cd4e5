/**
 * Reads blocks: sections of about 4 KiB that contain a run's rows (see run-format.ts for the bytes). The caller has verified
 * the checksum, so an invalid block is a bug in Gatehouse, not damage.
 */
import { assert } from '#base';
import { keyBytesMax, ownerBytes } from '../limits.ts';
import type { RowValue } from '../row.ts';

/** Steps through the rows of a block without decoding keys. */
class RowHeaders {
  readonly #block: Buffer;
  #next = 0;
  /** How many bytes the row key has in common with the one before. */
  shared = 0;
  restAt = 0;
  restLength = 0;
  valueAt = 0;
  /** -1 for a row without a value. */
  valueLength = -1;

  constructor(block: Buffer) {
    this.#block = block;
  }

  next(): boolean {
    if (this.#next === this.#block.length) return false;
    this.shared = this.#varint();
    this.restLength = this.#varint();
    this.valueLength = this.#varint() - 1;
    this.restAt = this.#next;
    this.valueAt = this.restAt + this.restLength;
    this.#next = this.valueAt + Math.max(this.valueLength, 0);
    assert(this.#next <= this.#block.length, 'a row ends inside its block');
    return true;
  }

  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#block[this.#next++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    assert(false, 'a length in a block has at most five bytes');
  }
}

/** A plain array, not a Buffer: their `slice` methods differ, and callers see the value. */
const readValue = (block: Buffer, at: number, length: number): RowValue =>
  length < 0 ? null : new Uint8Array(block.buffer, block.byteOffset + at, length);

/**
 * The value of one row, undefined if the block has no such row. `matched` is the number of bytes that the target shares with
 * the row key before, which is smaller than the target. A row that shares more with its predecessor is smaller too, one that
 * shares less is larger: only for an equal number must the bytes be compared.
 */
export function findInBlock(block: Buffer, target: string): RowValue | undefined {
  const row = new RowHeaders(block);
  let matched = 0;
  while (row.next()) {
    if (row.shared > matched) continue;
    if (row.shared < matched) return undefined;
    const rowLength = row.shared + row.restLength;
    const lengthMin = Math.min(rowLength, target.length);
    const shift = row.restAt - row.shared;
    while (matched < lengthMin && block[shift + matched] === target.charCodeAt(matched)) matched += 1;
    if (matched === rowLength) {
      if (matched === target.length) return readValue(block, row.valueAt, row.valueLength);
    } else if (matched === target.length || block[shift + matched]! > target.charCodeAt(matched)) {
      return undefined;
    }
  }
  return undefined;
}

/** All rows of a block, for cursors. */
export class BlockRows {
  readonly #block: Buffer;
  readonly keys: string[] = [];
  readonly #valueAt: number[] = [];
  readonly #valueLength: number[] = [];

  constructor(block: Buffer) {
    this.#block = block;
    const row = new RowHeaders(block);
    while (row.next()) {
      assert(row.shared + row.restLength <= scratch.length, 'a row key is no longer than the longest');
      for (let i = 0; i < row.restLength; i++) scratch[row.shared + i] = block[row.restAt + i]!;
      this.keys.push(scratch.toString('latin1', 0, row.shared + row.restLength));
      this.#valueAt.push(row.valueAt);
      this.#valueLength.push(row.valueLength);
    }
  }

  getValue(place: number): RowValue {
    return readValue(this.#block, this.#valueAt[place]!, this.#valueLength[place]!);
  }
}

/** The row key being decoded: each row rewrites only the end of its predecessor's. */
const scratch = Buffer.alloc(ownerBytes + 1 + keyBytesMax);

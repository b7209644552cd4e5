/**
 * One record of the log, as bytes. All numbers are little-endian.
 *
 * ```
 *  offset  bytes  field
 *       0      4  length     of the whole record without its padding, header included
 *       4      4  crc32      of bytes 8 … length
 *       8      8  position   where this record stands in the log
 *      16      8  settled    the end of the log known to be on disk when this record was written
 *      24      8  time       milliseconds since the epoch, as a double
 *      32      …  payload
 *       …    0–7  zeros, so that the next record starts at a multiple of eight
 * ```
 *
 * `position` inside the record makes stale bytes of another place recognisable. `settled` tells damage
 * from a crash: behind a broken record, a whole one that says "all before me was on disk" proves that
 * the broken one had been on disk, too, so it was not torn by a crash but damaged later.
 */
import { crc32 } from 'node:zlib';
import type { Position } from './position.ts';

export const recordHeaderBytes = 32;
export const recordAlignment = 8;

export interface JournalRecord {
  readonly position: Position;
  readonly settled: Position;
  readonly time: number;
  readonly payload: Uint8Array;
  /** The position behind this record. */
  readonly end: Position;
}

/** What a record with this payload occupies in the log, padding included. */
export function recordSpan(payloadBytes: number): number {
  return Math.ceil((recordHeaderBytes + payloadBytes) / recordAlignment) * recordAlignment;
}

/** Writes a record at `offset` of a zero-filled `target`; answers the offset behind it. */
export function writeRecord(
  target: Buffer,
  offset: number,
  record: { position: Position; settled: Position; time: number; payload: readonly Uint8Array[] },
): number {
  let end = offset + recordHeaderBytes;
  for (const part of record.payload) {
    target.set(part, end);
    end += part.length;
  }
  target.writeUInt32LE(end - offset, offset);
  writeUint64(target, record.position, offset + 8);
  writeUint64(target, record.settled, offset + 16);
  target.writeDoubleLE(record.time, offset + 24);
  target.writeUInt32LE(crc32(target.subarray(offset + 8, end)), offset + 4);
  return offset + recordSpan(end - offset - recordHeaderBytes);
}

/** How many bytes the record at `offset` claims to be, or undefined if it cannot be a record for `position`. */
export function claimedLength(source: Buffer, offset: number, position: Position): number | undefined {
  if (offset + recordHeaderBytes > source.length) return undefined;
  const length = source.readUInt32LE(offset);
  if (length < recordHeaderBytes || readUint64(source, offset + 8) !== position) return undefined;
  return length;
}

/** The record at `offset`, sharing the bytes of `source`, or undefined if it is not whole. */
export function readRecord(source: Buffer, offset: number, position: Position): JournalRecord | undefined {
  const length = claimedLength(source, offset, position);
  if (length === undefined || offset + length > source.length) return undefined;
  if (crc32(source.subarray(offset + 8, offset + length)) !== source.readUInt32LE(offset + 4))
    return undefined;
  return {
    position,
    settled: readUint64(source, offset + 16) as Position,
    time: source.readDoubleLE(offset + 24),
    payload: source.subarray(offset + recordHeaderBytes, offset + length),
    end: (position + recordSpan(length - recordHeaderBytes)) as Position,
  };
}

// Positions are safe integers: two halves avoid a BigInt on every record.
function writeUint64(target: Buffer, value: number, offset: number): void {
  target.writeUInt32LE(value % 2 ** 32, offset);
  target.writeUInt32LE(Math.floor(value / 2 ** 32), offset + 4);
}

function readUint64(source: Buffer, offset: number): number {
  return source.readUInt32LE(offset) + source.readUInt32LE(offset + 4) * 2 ** 32;
}

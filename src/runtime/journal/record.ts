/**
 * One record of the log, as bytes. All numbers are little-endian.
 *
 * ```
 *  offset  bytes  field
 *       0      4  length     of the whole record without its padding, header included
 *       4      4  crc32      of bytes 8 … length
 *       8      8  place      where this record stands in the log, its position, xor the salt of its segment
 *      16      8  settled    the end of the log known to be on disk when this record was written
 *      24      8  time       milliseconds since the epoch, as a double
 *      32      …  payload
 *       …    0–7  zeros, so that the next record starts at a multiple of eight
 * ```
 *
 * `place` makes stale bytes of another position recognisable. The salt in it is random and known only to the log: a
 * payload that contains the bytes of a record for its own position is not mistaken for a record, even if a torn write
 * leaves it without the record around it. `settled` distinguishes damage from a crash: if a complete record after a
 * broken one says "everything before me was on disk", the broken one was on disk too. So it was not torn by a crash,
 * but damaged later.
 */
import { crc32 } from 'node:zlib';
import type { Position } from './position.ts';
import type { Salt } from './salt.ts';

export const recordHeaderBytes = 32;
export const recordAlignment = 8;

export interface JournalRecord {
  readonly position: Position;
  readonly settled: Position;
  readonly time: number;
  readonly payload: Uint8Array;
  /** The position after this record. */
  readonly end: Position;
}

/** A part of a payload, with its checksum. */
export interface RecordPart {
  readonly offset: number;
  readonly bytes: number;
  readonly crc: number;
}

/** The space that a record with this payload occupies in the log, padding included. */
export function measureSpan(payloadBytes: number): number {
  return Math.ceil((recordHeaderBytes + payloadBytes) / recordAlignment) * recordAlignment;
}

/** Writes a record at `offset` of a zero-filled `target` and returns the offset after it. */
export function writeRecord(
  target: Buffer,
  offset: number,
  record: { position: Position; settled: Position; time: number; payload: readonly Uint8Array[] },
  salt: Salt,
): number {
  let end = offset + recordHeaderBytes;
  for (const part of record.payload) {
    target.set(part, end);
    end += part.length;
  }
  target.writeUInt32LE(end - offset, offset);
  writePlace(target, { position: record.position, salt }, offset + 8);
  writeUint64(target, record.settled, offset + 16);
  target.writeDoubleLE(record.time, offset + 24);
  target.writeUInt32LE(crc32(target.subarray(offset + 8, end)), offset + 4);
  return offset + measureSpan(end - offset - recordHeaderBytes);
}

/** The location of a record, as the record itself states it. */
export interface RecordPlace {
  readonly position: Position;
  /** The salt of its segment. */
  readonly salt: Salt;
}

/** The length that the record at `offset` claims to have; undefined if it cannot be the record of this place. */
export function readClaimedLength(source: Buffer, offset: number, place: RecordPlace): number | undefined {
  if (offset + recordHeaderBytes > source.length) return undefined;
  const length = source.readUInt32LE(offset);
  if (length < recordHeaderBytes || !isPlace(source, place, offset + 8)) return undefined;
  return length;
}

/** The record at `offset`, sharing the bytes of `source`; undefined if it is not complete. */
export function readRecord(source: Buffer, offset: number, place: RecordPlace): JournalRecord | undefined {
  const length = readClaimedLength(source, offset, place);
  if (length === undefined || offset + length > source.length) return undefined;
  if (crc32(source.subarray(offset + 8, offset + length)) !== source.readUInt32LE(offset + 4))
    return undefined;
  const { position } = place;
  return {
    position,
    settled: readUint64(source, offset + 16) as Position,
    time: source.readDoubleLE(offset + 24),
    payload: source.subarray(offset + recordHeaderBytes, offset + length),
    end: (position + measureSpan(length - recordHeaderBytes)) as Position,
  };
}

// Positions are safe integers: writing two halves avoids a BigInt for each record.
function writeUint64(target: Buffer, value: number, offset: number): void {
  target.writeUInt32LE(value % 2 ** 32, offset);
  target.writeUInt32LE(Math.floor(value / 2 ** 32), offset + 4);
}

function writePlace(target: Buffer, { position, salt }: RecordPlace, offset: number): void {
  target.writeUInt32LE(((position % 2 ** 32) ^ salt.low) >>> 0, offset);
  target.writeUInt32LE((Math.floor(position / 2 ** 32) ^ salt.high) >>> 0, offset + 4);
}

function isPlace(source: Buffer, { position, salt }: RecordPlace, offset: number): boolean {
  const low = (source.readUInt32LE(offset) ^ salt.low) >>> 0;
  const high = (source.readUInt32LE(offset + 4) ^ salt.high) >>> 0;
  return low + high * 2 ** 32 === position;
}

function readUint64(source: Buffer, offset: number): number {
  return source.readUInt32LE(offset) + source.readUInt32LE(offset + 4) * 2 ** 32;
}

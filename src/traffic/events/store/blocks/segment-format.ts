/**
 * A segment: blocks of all zones whose events expire at the same time, in one file named after that time and a number,
 * `2026-01-15T0030Z-00000001.events`. It starts with 32 bytes:
 *
 * ```
 *   0  8  "GHEVENTS"
 *   8  4  format version, 1
 *  12  4  crc32 of bytes 16 … 32
 *  16  8  when its events expire, in milliseconds, double
 *  24  8  number of the segment, double
 * ```
 *
 * Blocks follow back to back. When a segment is complete, it is sealed: an index follows, which is the fixed part and
 * the filter of each block, and 64 bytes at the end of the file:
 *
 * ```
 *   0  8  "GHEVSEAL"
 *   8  4  crc32 of bytes 16 … 64
 *  12  4  crc32 of the index
 *  16  8  offset of the index, double
 *  24  8  number of events, double
 *  32  8  largest sequence, double
 *  40  8  time of the oldest event, double
 *  48  8  time of the newest event, double
 *  56  8  zeros
 * ```
 *
 * A file without a complete seal was being written when the process ended. Its blocks are read one after the other;
 * bytes after the last complete one are cut off, because their events are still in the tail.
 */
import { crc32 } from 'node:zlib';
import { type BlockHead, fixedBytes, readFixed, writeIndexEntry } from './block.ts';

const magic = Buffer.from('GHEVENTS');
const sealMagic = Buffer.from('GHEVSEAL');
const version = 1;
export const headerBytes = 32;
export const sealBytes = 64;

export interface SegmentName {
  readonly expiresMs: number;
  readonly number: number;
}

/** The facts about a segment without its index. */
export interface Seal {
  readonly indexOffset: number;
  readonly rows: number;
  readonly lastSequence: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

export function formatName({ expiresMs, number }: SegmentName): string {
  const [date, time] = new Date(expiresMs).toISOString().split('T') as [string, string];
  return `${date}T${time.slice(0, 2)}${time.slice(3, 5)}Z-${String(number).padStart(8, '0')}.events`;
}

export function parseName(name: string): SegmentName | undefined {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)Z-(\d{8,15})\.events$/.exec(name);
  if (match === null) return undefined;
  const expiresMs = Date.parse(`${match[1]}T${match[2]}:${match[3]}:00Z`);
  return Number.isNaN(expiresMs) ? undefined : { expiresMs, number: Number(match[4]) };
}

export function writeHeader({ expiresMs, number }: SegmentName): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  magic.copy(bytes);
  bytes.writeUInt32LE(version, 8);
  bytes.writeDoubleLE(expiresMs, 16);
  bytes.writeDoubleLE(number, 24);
  bytes.writeUInt32LE(crc32(bytes.subarray(16)), 12);
  return bytes;
}

export function writeIndex(heads: readonly BlockHead[]): Buffer {
  return Buffer.concat(heads.map(writeIndexEntry));
}

export function readIndex(bytes: Buffer): BlockHead[] {
  const heads: BlockHead[] = [];
  for (let at = 0; at < bytes.length;) {
    const head = readFixed(bytes.subarray(at));
    heads.push(head);
    at += fixedBytes + head.filter.length;
  }
  return heads;
}

export function createSeal(heads: readonly BlockHead[], indexOffset: number): Seal {
  return {
    indexOffset,
    rows: heads.reduce((sum, { rows }) => sum + rows, 0),
    lastSequence: heads.reduce((last, head) => Math.max(last, head.lastSequence), 0),
    firstMs: heads.reduce((first, head) => Math.min(first, head.firstMs), Infinity),
    lastMs: heads.reduce((last, head) => Math.max(last, head.lastMs), -Infinity),
  };
}

export function writeSeal(seal: Seal, index: Buffer): Buffer {
  const bytes = Buffer.alloc(sealBytes);
  sealMagic.copy(bytes);
  bytes.writeUInt32LE(crc32(index), 12);
  const { indexOffset, rows, lastSequence, firstMs, lastMs } = seal;
  for (const [place, value] of [indexOffset, rows, lastSequence, firstMs, lastMs].entries()) {
    bytes.writeDoubleLE(value, 16 + place * 8);
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(16)), 8);
  return bytes;
}

/** Undefined if the bytes at the end of a file are not a complete seal. */
export function readSeal(bytes: Buffer): (Seal & { readonly indexChecksum: number }) | undefined {
  if (bytes.length !== sealBytes || !bytes.subarray(0, 8).equals(sealMagic)) return undefined;
  if (crc32(bytes.subarray(16)) !== bytes.readUInt32LE(8)) return undefined;
  const [indexOffset, rows, lastSequence, firstMs, lastMs] = Array.from({ length: 5 }, (_, place) =>
    bytes.readDoubleLE(16 + place * 8),
  ) as [number, number, number, number, number];
  const indexChecksum = bytes.readUInt32LE(12);
  return { indexOffset, rows, lastSequence, firstMs, lastMs, indexChecksum };
}

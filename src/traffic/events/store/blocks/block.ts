/**
 * A block: some events of one zone, compressed. Integers are little-endian, a double is IEEE 754.
 *
 * ```
 *    0   4  "GHEB"
 *    4   4  crc32 of bytes 8 … end of the head
 *    8   4  length of the block
 *   12   4  number of sections, s; 0 in a block that was erased
 *   16   4  number of events
 *   20   4  length of the filter, f
 *   24  32  zone id, padded with zeros
 *   56   8  offset of the block in its file, double
 *   64   8  first sequence, double
 *   72   8  last sequence, double
 *   80   8  time of the oldest event in milliseconds, double
 *   88   8  time of the newest event, double
 *   96   f  filter of the request ids (ray-filter.ts)
 *    … 12s  per section: length (4), length of its text (4), crc32 (4)
 *    …   …  the sections back to back: JSON (columns.ts), compressed with zstd
 * ```
 *
 * The head is everything before the sections. The offset in it makes the bytes of a block recognisable only at their
 * place.
 */
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findFirstMs, sectionCount, writeSection } from './columns.ts';
import { EventsDamageError } from '../errors.ts';
import { zoneIdBytesMax } from '../limits.ts';
import { createFilter } from './ray-filter.ts';
import type { StoredEvent } from '../stored-event.ts';

const magic = Buffer.from('GHEB');
/** The part of the head that does not depend on the content. An index repeats it, with the filter. */
export const fixedBytes = 96;
const sectionEntryBytes = 12;
const level = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
/** Sections compressed before other work gets a turn. */
const sectionsPerTurn = 8;

export interface BlockHead {
  readonly zoneId: string;
  readonly offset: number;
  readonly length: number;
  readonly rows: number;
  readonly sections: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly filter: Buffer;
}

export interface SectionEntry {
  readonly offset: number;
  readonly length: number;
  readonly textLength: number;
  readonly checksum: number;
}

/** A block without a position yet. */
export interface CutBlock {
  readonly zoneId: string;
  readonly rows: readonly StoredEvent[];
  readonly filter: Buffer;
  readonly sections: readonly { readonly bytes: Buffer; readonly textLength: number }[];
  readonly length: number;
}

/** Compresses the rows, in order of their sequence. */
export async function cutBlock(zoneId: string, rows: readonly StoredEvent[]): Promise<CutBlock> {
  const sections: { bytes: Buffer; textLength: number }[] = [];
  for (let section = 0; section < sectionCount; section++) {
    const text = Buffer.from(writeSection(section, rows));
    sections.push({ bytes: zstdCompressSync(text, level), textLength: text.length });
    if (section % sectionsPerTurn === 0) await nextTurn();
  }
  const filter = createFilter(rows.map(({ event }) => event.id));
  const headBytes = fixedBytes + filter.length + sections.length * sectionEntryBytes;
  const length = sections.reduce((sum, { bytes }) => sum + bytes.length, headBytes);
  return { zoneId, rows, filter, sections, length };
}

/** A block with its position. */
export interface PlacedBlock {
  readonly bytes: Buffer;
  readonly head: BlockHead;
}

/** The blocks back to back, the first at `offset`. */
export function placeBlocks(
  blocks: readonly CutBlock[],
  offset: number,
): { readonly placed: readonly PlacedBlock[]; readonly end: number } {
  let end = offset;
  const placed = blocks.map((block) => {
    const start = end;
    end += block.length;
    return placeBlock(block, start);
  });
  return { placed, end };
}

function placeBlock(block: CutBlock, offset: number): PlacedBlock {
  const { zoneId, rows, filter, sections, length } = block;
  const head: BlockHead = {
    zoneId,
    offset,
    length,
    rows: rows.length,
    sections: sections.length,
    firstSequence: rows[0]!.sequence,
    lastSequence: rows.at(-1)!.sequence,
    firstMs: findFirstMs(rows),
    lastMs: rows.reduce((last, { atMs }) => Math.max(last, atMs), -Infinity),
    filter,
  };
  const bytes = Buffer.alloc(length);
  writeFixed(bytes, head);
  let entry = fixedBytes + filter.copy(bytes, fixedBytes);
  let at = measureHead(head);
  for (const section of sections) {
    bytes.writeUInt32LE(section.bytes.length, entry);
    bytes.writeUInt32LE(section.textLength, entry + 4);
    bytes.writeUInt32LE(crc32(section.bytes), entry + 8);
    entry += sectionEntryBytes;
    at += section.bytes.copy(bytes, at);
  }
  seal(bytes, measureHead(head));
  return { bytes, head };
}

/** Zeros in place of a block, with a head that names its zone. */
export function createErasedBlock(head: BlockHead): Buffer {
  const bytes = Buffer.alloc(head.length);
  writeFixed(bytes, { ...head, rows: 0, sections: 0, filter: Buffer.alloc(0) });
  seal(bytes, fixedBytes);
  return bytes;
}

function measureHead({ filter, sections }: BlockHead): number {
  return fixedBytes + filter.length + sections * sectionEntryBytes;
}

/** The head of the block at `offset` of its file, from bytes that start there; undefined if there is no valid head. */
export function readHead(bytes: Buffer, offset: number): BlockHead | undefined {
  if (bytes.length < fixedBytes || !bytes.subarray(0, 4).equals(magic)) return undefined;
  const head = readFixed(bytes);
  const headBytes = fixedBytes + bytes.readUInt32LE(20) + head.sections * sectionEntryBytes;
  if (head.offset !== offset || headBytes > bytes.length || headBytes > head.length) return undefined;
  if (crc32(bytes.subarray(8, headBytes)) !== bytes.readUInt32LE(4)) return undefined;
  return head;
}

/** Reads the fixed part and the filter after it. */
export function readFixed(bytes: Buffer): BlockHead {
  const filterEnd = fixedBytes + bytes.readUInt32LE(20);
  const zone = bytes.subarray(24, 24 + zoneIdBytesMax);
  const zoneEnd = zone.indexOf(0);
  return {
    zoneId: zone.toString('utf8', 0, zoneEnd < 0 ? zone.length : zoneEnd),
    length: bytes.readUInt32LE(8),
    sections: bytes.readUInt32LE(12),
    rows: bytes.readUInt32LE(16),
    offset: bytes.readDoubleLE(56),
    firstSequence: bytes.readDoubleLE(64),
    lastSequence: bytes.readDoubleLE(72),
    firstMs: bytes.readDoubleLE(80),
    lastMs: bytes.readDoubleLE(88),
    filter: bytes.subarray(fixedBytes, filterEnd),
  };
}

/** The fixed part and the filter, as an index contains them. */
export function writeIndexEntry(head: BlockHead): Buffer {
  const bytes = Buffer.alloc(fixedBytes + head.filter.length);
  writeFixed(bytes, head);
  head.filter.copy(bytes, fixedBytes);
  return bytes;
}

export function listSections(block: Buffer, head: BlockHead): SectionEntry[] {
  let offset = measureHead(head);
  return Array.from({ length: head.sections }, (_, section) => {
    const entry = fixedBytes + head.filter.length + section * sectionEntryBytes;
    const length = block.readUInt32LE(entry);
    const found = {
      offset,
      length,
      textLength: block.readUInt32LE(entry + 4),
      checksum: block.readUInt32LE(entry + 8),
    };
    offset += length;
    return found;
  });
}

/** The text of a section; every byte of it was verified. */
export function readSection(
  block: Buffer,
  entry: SectionEntry,
  place: { file: string; offset: number },
): string {
  const bytes = block.subarray(entry.offset, entry.offset + entry.length);
  if (bytes.length !== entry.length || crc32(bytes) !== entry.checksum) {
    throw new EventsDamageError('a section of a block is broken', {
      file: place.file,
      offset: place.offset + entry.offset,
    });
  }
  return zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, entry.textLength) }).toString('utf8');
}

function writeFixed(bytes: Buffer, head: BlockHead): void {
  magic.copy(bytes);
  bytes.writeUInt32LE(head.length, 8);
  bytes.writeUInt32LE(head.sections, 12);
  bytes.writeUInt32LE(head.rows, 16);
  bytes.writeUInt32LE(head.filter.length, 20);
  bytes.write(head.zoneId, 24, 'utf8');
  bytes.writeDoubleLE(head.offset, 56);
  bytes.writeDoubleLE(head.firstSequence, 64);
  bytes.writeDoubleLE(head.lastSequence, 72);
  bytes.writeDoubleLE(head.firstMs, 80);
  bytes.writeDoubleLE(head.lastMs, 88);
}

function seal(bytes: Buffer, headBytes: number): void {
  bytes.writeUInt32LE(crc32(bytes.subarray(8, headBytes)), 4);
}

/**
 * The run file, `<number>.run`: an immutable sorted sequence of rows (see row.ts for row keys and their order).
 * Integers are little-endian; a varint is unsigned LEB128; checksums are CRC-32 as in zlib.
 *
 *     block 0 │ block 1 │ … │ index │ filter │ footer
 *
 * Every checksum is stored beside the pointer to the bytes: the manifest has that of the footer, the footer those of
 * index and filter, the index those of the blocks. So an intact block, file or version of a file in the wrong place is
 * detected just like a flipped bit.
 *
 * **Block**: rows back to back, in ascending order of their keys, none twice. At most 4096 bytes, unless it is
 * the block of a single larger row. A row:
 *
 *     varint  shared   bytes the row key has in common with that of the row before; 0 in the first row of a
 *                      block; always the most possible
 *     varint  rest     bytes of the row key that follow them
 *     varint  value    0: a deletion or a drop, without a value; n + 1: a value of n bytes
 *     bytes            the rest of the row key, then the value
 *
 * **Index**: one entry per block. The blocks lie back to back from byte 0 on.
 *
 *     u32     length of the block
 *     u32     checksum of the block
 *     u32     length of the separator
 *     bytes   separator: the shortest prefix of the block's first row key that is larger than the last row key
 *             of the block before (empty for block 0)
 *
 * A row key can only be in the last block whose separator is not larger.
 *
 * **Filter**: a Bloom filter over all row keys and all owners, bit `b` being bit `b mod 8` of byte `b div 8`
 * (see filter.ts for the hash).
 *
 * **Footer**, the last 72 bytes:
 *
 *      0  8 bytes  "gate-run"
 *      8  u32      format version, 1
 *     12  u32      number of blocks, at least 1
 *     16  u64      number of rows
 *     24  u64      number of rows among them that are deletions or drops
 *     32  u64      number of entries in the filter
 *     40  u64      offset of the index
 *     48  u64      offset of the filter, where the index ends
 *     56  u32      checksum of the index
 *     60  u32      checksum of the filter
 *     64  u32      probes per filter entry, 6
 *     68  u32      checksum of bytes 0 to 67
 */
import { crc32 } from 'node:zlib';
import { ByteWriter } from '../byte-writer.ts';
import { TablesDamageError } from '../damage-error.ts';
import { filterProbes } from '../limits.ts';

export const footerBytes = 72;
const magic = 'gate-run';
const version = 1;

export interface RunFooter {
  readonly blockCount: number;
  readonly rowCount: number;
  readonly deletionCount: number;
  readonly filterEntries: number;
  readonly indexOffset: number;
  readonly filterOffset: number;
  readonly indexCrc: number;
  readonly filterCrc: number;
}

export function encodeFooter(footer: RunFooter): { bytes: Uint8Array; crc: number } {
  const writer = new ByteWriter(footerBytes);
  writer.writeLatin1(magic);
  writer.writeUint32(version);
  writer.writeUint32(footer.blockCount);
  writer.writeUint64(footer.rowCount);
  writer.writeUint64(footer.deletionCount);
  writer.writeUint64(footer.filterEntries);
  writer.writeUint64(footer.indexOffset);
  writer.writeUint64(footer.filterOffset);
  writer.writeUint32(footer.indexCrc);
  writer.writeUint32(footer.filterCrc);
  writer.writeUint32(filterProbes);
  const crc = crc32(writer.view());
  writer.writeUint32(crc);
  return { bytes: writer.view(), crc };
}

/** Reads a footer whose checksum must be the one the manifest has for it. */
export function decodeFooter(bytes: Buffer, file: string, offset: number, expectedCrc: number): RunFooter {
  const damage = (problem: string): never => {
    throw new TablesDamageError(file, offset, problem);
  };
  const crc = crc32(bytes.subarray(0, footerBytes - 4));
  if (crc !== bytes.readUInt32LE(footerBytes - 4)) damage('the checksum of the footer does not match');
  if (crc !== expectedCrc) damage('the footer is not the one the manifest names');
  if (bytes.toString('latin1', 0, 8) !== magic) damage('this is not a run file');
  const found = bytes.readUInt32LE(8);
  if (found !== version) damage(`the format version is ${found}, this program reads version ${version}`);
  const uint64 = (at: number): number => Number(bytes.readBigUInt64LE(at));
  return {
    blockCount: bytes.readUInt32LE(12),
    rowCount: uint64(16),
    deletionCount: uint64(24),
    filterEntries: uint64(32),
    indexOffset: uint64(40),
    filterOffset: uint64(48),
    indexCrc: bytes.readUInt32LE(56),
    filterCrc: bytes.readUInt32LE(60),
  };
}

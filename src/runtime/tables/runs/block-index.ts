/**
 * The index of a run in memory: compact arrays, not an object per block, since a store has many blocks (see
 * run-format.ts for the bytes).
 */
import { crc32 } from 'node:zlib';
import { assert } from '#base';
import { ByteWriter } from '../byte-writer.ts';

const entryHeaderBytes = 12;

/** The section as on disk, and the offsets of its entries and of the blocks (and, last, the end of the blocks). */
export class BlockIndex {
  readonly section: Buffer;
  readonly #entryAt: Uint32Array;
  readonly #blockAt: Float64Array;

  constructor(section: Buffer, entryAt: Uint32Array, blockAt: Float64Array) {
    this.section = section;
    this.#entryAt = entryAt;
    this.#blockAt = blockAt;
  }

  /** Reads a section whose checksum has been verified. */
  static parse(section: Buffer, blockCount: number): BlockIndex {
    const entryAt = new Uint32Array(blockCount + 1);
    const blockAt = new Float64Array(blockCount + 1);
    for (let block = 0, at = 0; block < blockCount; block++) {
      blockAt[block + 1] = blockAt[block]! + section.readUInt32LE(at);
      at += entryHeaderBytes + section.readUInt32LE(at + 8);
      entryAt[block + 1] = at;
    }
    assert(entryAt[blockCount] === section.length, 'an index has one entry per block');
    return new BlockIndex(section, entryAt, blockAt);
  }

  get blockCount(): number {
    return this.#blockAt.length - 1;
  }

  /** The memory that it uses. */
  get bytes(): number {
    return this.section.length + this.#entryAt.byteLength + this.#blockAt.byteLength;
  }

  /** The offset of a block; for `blockCount`, the end of the blocks. */
  getOffset(block: number): number {
    return this.#blockAt[block]!;
  }

  getCrc(block: number): number {
    return this.section.readUInt32LE(this.#entryAt[block]! + 4);
  }

  /** How many blocks may be read at once from `first` on: at least one, at most `bytesMax` or up to `endMax`. */
  findStretchEnd(first: number, bytesMax: number, endMax: number = this.blockCount): number {
    let end = first + 1;
    while (end < endMax && this.getOffset(end + 1) - this.getOffset(first) <= bytesMax) end += 1;
    return end;
  }

  /** The only block that can contain the row key. */
  findBlock(rowKey: string): number {
    let low = 0;
    let high = this.blockCount;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#isSeparatorLarger(middle, rowKey)) high = middle;
      else low = middle;
    }
    return low;
  }

  #isSeparatorLarger(block: number, rowKey: string): boolean {
    const start = this.#entryAt[block]! + entryHeaderBytes;
    const length = this.#entryAt[block + 1]! - start;
    const lengthMin = Math.min(length, rowKey.length);
    for (let i = 0; i < lengthMin; i++) {
      const difference = this.section[start + i]! - rowKey.charCodeAt(i);
      if (difference !== 0) return difference > 0;
    }
    return length > rowKey.length;
  }
}

/** Builds an index block by block, so that no long step remains at the end. */
export class IndexWriter {
  readonly #section = new ByteWriter(4096);
  readonly #entryAt = [0];
  readonly #blockAt = [0];

  add(block: Uint8Array, separator: string): void {
    this.#section.writeUint32(block.length);
    this.#section.writeUint32(crc32(block));
    this.#section.writeUint32(separator.length);
    this.#section.writeLatin1(separator);
    this.#entryAt.push(this.#section.length);
    this.#blockAt.push(this.#blockAt.at(-1)! + block.length);
  }

  finish(): BlockIndex {
    const section = Buffer.from(this.#section.view());
    return new BlockIndex(section, Uint32Array.from(this.#entryAt), Float64Array.from(this.#blockAt));
  }
}

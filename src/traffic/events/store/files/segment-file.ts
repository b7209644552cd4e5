/**
 * A segment in a file (segment-format.ts).
 *
 * - A block of an erased zone is zeros; its head stays, so that the others keep their positions.
 * - A file that was not sealed is sealed when it is opened. Damaged bytes between whole blocks are reported and
 *   skipped.
 */
import { crc32 } from 'node:zlib';
import { assert } from '#base';
import type { FileSystem, OpenFile } from '#files';
import {
  type BlockHead,
  createErasedBlock,
  fixedBytes,
  listSections,
  type PlacedBlock,
  readHead,
} from '../blocks/block.ts';
import { EventsDamageError } from '../errors.ts';
import { StoredSegment } from '../blocks/stored-segment.ts';
import type { ReadBlock, Segment } from '../home.ts';
import {
  createSeal,
  formatName,
  headerBytes,
  readIndex,
  readSeal,
  type Seal,
  sealBytes,
  type SegmentName,
  writeHeader,
  writeIndex,
  writeSeal,
} from '../blocks/segment-format.ts';

export interface SegmentFileParts {
  readonly fs: FileSystem;
  readonly directory: string;
  readonly onDamage: (damage: EventsDamageError) => void;
}

type SegmentFileState =
  | { readonly kind: 'writing'; readonly file: OpenFile; readonly heads: BlockHead[] }
  | { readonly kind: 'sealed'; readonly indexChecksum: number }
  | { readonly kind: 'dropped' };

export class SegmentFile extends StoredSegment<SegmentFileState> implements Segment {
  readonly #parts: SegmentFileParts;

  private constructor(parts: SegmentFileParts, name: SegmentName, state: SegmentFileState, seal: Seal) {
    super(name, `${parts.directory}/${formatName(name)}`, state, seal);
    this.#parts = parts;
  }

  static async create(parts: SegmentFileParts, name: SegmentName): Promise<SegmentFile> {
    const { fs, directory } = parts;
    const path = `${directory}/${formatName(name)}`;
    const file = await fs.open(path, 'create');
    try {
      await file.write(writeHeader(name), 0);
      await file.fdatasync();
      await fs.fsyncDirectory(directory);
    } catch (error) {
      file.closeSync();
      await fs.unlink(path).catch(() => {});
      throw error;
    }
    return new SegmentFile(parts, name, { kind: 'writing', file, heads: [] }, createSeal([], headerBytes));
  }

  /**
   * Opens an existing file; undefined if it has no intact part. In that case it is removed if it was just started, and
   * otherwise set aside as `<name>.damaged`: its events may exist nowhere else.
   */
  static open(parts: SegmentFileParts, name: SegmentName): SegmentFile | undefined {
    const path = `${parts.directory}/${formatName(name)}`;
    const file = parts.fs.openSync(path, 'edit');
    const size = file.sizeSync();
    try {
      const bytes = readPart(file, Math.max(0, size - sealBytes), Math.min(size, sealBytes));
      const seal = readSeal(bytes);
      if (seal !== undefined && seal.indexOffset <= size - sealBytes) {
        return new SegmentFile(parts, name, { kind: 'sealed', indexChecksum: seal.indexChecksum }, seal);
      }
      const heads = walkBlocks(file, parts.onDamage);
      if (heads.length > 0) {
        const found = createSeal(heads, endOf(heads));
        const index = writeIndex(heads);
        file.truncateSync(found.indexOffset);
        file.writeSync(Buffer.concat([index, writeSeal(found, index)]), found.indexOffset);
        file.fsyncSync();
        return new SegmentFile(parts, name, { kind: 'sealed', indexChecksum: crc32(index) }, found);
      }
    } finally {
      file.closeSync();
    }
    if (size === headerBytes) parts.fs.unlinkSync(path);
    else {
      const problem = `no block of it is whole: set aside as ${formatName(name)}.damaged`;
      parts.onDamage(new EventsDamageError(problem, { file: path, offset: 0 }));
      parts.fs.renameSync(path, `${path}.damaged`);
    }
    return undefined;
  }

  protected async write(placed: readonly PlacedBlock[]): Promise<void> {
    assert(this.state.kind === 'writing', 'a sealed segment gets no more blocks');
    const { file } = this.state;
    await file.write(Buffer.concat(placed.map(({ bytes }) => bytes)), this.extent.indexOffset);
    await file.fdatasync();
  }

  /** If the index cannot be written, it is rebuilt the next time the file is opened. */
  async seal(): Promise<void> {
    const state = this.state;
    if (state.kind !== 'writing') return;
    const index = writeIndex(state.heads);
    this.state = { kind: 'sealed', indexChecksum: crc32(index) };
    try {
      state.file.truncateSync(this.extent.indexOffset);
      await state.file.write(Buffer.concat([index, writeSeal(this.extent, index)]), this.extent.indexOffset);
      await state.file.fdatasync();
    } finally {
      state.file.closeSync();
    }
  }

  async readHeads(): Promise<readonly BlockHead[]> {
    const state = this.state;
    if (state.kind === 'writing') return [...state.heads];
    if (state.kind === 'dropped') return [];
    const file = this.#open('read');
    try {
      const { indexOffset } = this.extent;
      const length = Math.max(0, file.sizeSync() - sealBytes - indexOffset);
      const bytes = Buffer.alloc(length);
      await file.read(bytes, indexOffset);
      if (crc32(bytes) === state.indexChecksum) return readIndex(bytes);
      this.#parts.onDamage(this.#damage('the index is broken; its blocks are read one by one', indexOffset));
      return walkBlocks(file, this.#parts.onDamage);
    } finally {
      file.closeSync();
    }
  }

  async readBlock({ offset, length }: BlockHead): Promise<ReadBlock | undefined> {
    if (this.state.kind === 'dropped') return undefined;
    const file = this.#open('read');
    const bytes = Buffer.alloc(length);
    try {
      await file.read(bytes, offset);
    } finally {
      file.closeSync();
    }
    const head = readHead(bytes, offset);
    if (head === undefined) throw this.#damage('the head of a block is broken', offset);
    return head.sections === 0 ? undefined : { bytes, head };
  }

  /** Overwrites the blocks with zeros. If that is interrupted, the index is rebuilt when the file is opened. */
  async eraseZone(zoneId: string): Promise<void> {
    await this.seal();
    if (this.state.kind === 'dropped') return;
    const heads = await this.readHeads();
    const kept = heads.map((head) =>
      head.zoneId === zoneId ? { ...head, rows: 0, sections: 0, filter: Buffer.alloc(0) } : head,
    );
    const file = this.#open('edit');
    try {
      for (const head of heads) {
        if (head.zoneId === zoneId) await file.write(createErasedBlock(head), head.offset);
      }
      await file.fdatasync();
      const index = writeIndex(kept);
      this.extent = createSeal(kept, this.extent.indexOffset);
      this.state = { kind: 'sealed', indexChecksum: crc32(index) };
      file.truncateSync(this.extent.indexOffset);
      await file.write(Buffer.concat([index, writeSeal(this.extent, index)]), this.extent.indexOffset);
      await file.fdatasync();
    } finally {
      file.closeSync();
    }
  }

  async drop(): Promise<void> {
    this.close();
    this.state = { kind: 'dropped' };
    await this.#parts.fs.unlink(this.path);
  }

  close(): void {
    if (this.state.kind === 'writing') this.state.file.closeSync();
  }

  #open(mode: 'read' | 'edit'): OpenFile {
    return this.#parts.fs.openSync(this.path, mode);
  }

  #damage(problem: string, offset: number): EventsDamageError {
    return new EventsDamageError(problem, { file: this.path, offset });
  }
}

function endOf(heads: readonly BlockHead[]): number {
  const last = heads.at(-1);
  return last === undefined ? headerBytes : last.offset + last.length;
}

/** The whole blocks of a file. Bytes between two of them are damage; bytes after the last were never acknowledged. */
function walkBlocks(file: OpenFile, onDamage: SegmentFileParts['onDamage']): BlockHead[] {
  const size = file.sizeSync();
  const heads: BlockHead[] = [];
  let broken: number | undefined;
  for (let at = headerBytes; at + fixedBytes <= size;) {
    const head = readWholeBlock(file, at, size);
    if (head === undefined) {
      broken ??= at;
      const next = findMagic(file, at + 1, size);
      if (next === undefined) break;
      at = next;
      continue;
    }
    if (broken !== undefined) {
      onDamage(new EventsDamageError('a block is broken', { file: file.path, offset: broken }));
      broken = undefined;
    }
    heads.push(head);
    at = head.offset + head.length;
  }
  return heads;
}

function readWholeBlock(file: OpenFile, at: number, size: number): BlockHead | undefined {
  const length = readPart(file, at + 8, 4).readUInt32LE(0);
  if (length < fixedBytes || at + length > size) return undefined;
  const bytes = readPart(file, at, length);
  const head = readHead(bytes, at);
  if (head === undefined) return undefined;
  const isWhole = listSections(bytes, head).every(
    ({ offset, length: count, checksum }) => crc32(bytes.subarray(offset, offset + count)) === checksum,
  );
  return isWhole ? head : undefined;
}

const searchBytes = 1024 * 1024;

/** Where the next block may start. */
function findMagic(file: OpenFile, from: number, size: number): number | undefined {
  for (let at = from; at < size; at += searchBytes) {
    const found = readPart(file, at, Math.min(searchBytes + 3, size - at)).indexOf('GHEB');
    if (found >= 0) return at + found;
  }
  return undefined;
}

function readPart(file: OpenFile, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const got = file.readSync(bytes, offset);
  return bytes.subarray(0, got);
}

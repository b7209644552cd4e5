/**
 * A run file, open for reading. Index and filter are in memory; blocks are read on demand and verified before use: what
 * cannot be verified is a `TablesDamageError`, never an absent row.
 *
 * The file exists while the run is held: a reader that spans an `await` calls `retain` before and `release` after. The
 * store also holds each run, and `retire`s a run that was merged into another; its file is removed when the last reader
 * has released it.
 */
import { crc32 } from 'node:zlib';
import { assert } from '#base';
import type { FileSystem, OpenFile } from '#files';
import type { BlockCache } from './block-cache.ts';
import { BlockIndex } from './block-index.ts';
import { findInBlock } from './block.ts';
import { type Damage, TablesDamageError } from '../damage-error.ts';
import { mayFilterHave, finishHash, hashState } from './filter.ts';
import { type RowValue, makeDropKey, makeEntryKey } from '../row.ts';
import { type RunFooter, decodeFooter, footerBytes } from './run-format.ts';

/** What the manifest contains about a run. */
export interface RunDescription {
  readonly number: number;
  readonly bytes: number;
  readonly footerCrc: number;
}

export const formatRunName = (number: number): string => `${String(number).padStart(10, '0')}.run`;

/** What a point lookup needs in every run, computed once. */
export interface Probe {
  readonly rowKey: string;
  readonly rowHash: number;
  readonly dropKey: string;
  readonly dropHash: number;
}

export function createProbe(owner: string, key: string): Probe {
  const state = hashState(owner);
  return {
    rowKey: makeEntryKey(owner, key),
    rowHash: finishHash(hashState(key, hashState('\x01', state))),
    dropKey: makeDropKey(owner),
    dropHash: finishHash(hashState('\x00', state)),
  };
}

interface RunParts {
  readonly path: string;
  readonly file: OpenFile;
  readonly description: RunDescription;
  readonly footer: RunFooter;
  readonly index: BlockIndex;
  readonly filter: Uint8Array;
}

export class Run {
  readonly path: string;
  readonly description: RunDescription;
  readonly footer: RunFooter;
  readonly index: BlockIndex;
  readonly #file: OpenFile;
  readonly #filter: Uint8Array;
  readonly #cache: BlockCache;
  readonly #cacheId: number;
  #holders = 1;
  #onUnused: (() => void) | undefined;

  constructor(parts: RunParts, cache: BlockCache) {
    this.path = parts.path;
    this.description = parts.description;
    this.footer = parts.footer;
    this.index = parts.index;
    this.#file = parts.file;
    this.#filter = parts.filter;
    this.#cache = cache;
    this.#cacheId = cache.reserve(parts.index.blockCount);
  }

  /** Opens a run that the manifest names, and verifies everything except the blocks. */
  static open(fs: FileSystem, path: string, description: RunDescription, cache: BlockCache): Run {
    const file = openDamageAware(fs, path);
    try {
      return new Run({ path, file, description, ...readParts(file, path, description) }, cache);
    } catch (error) {
      file.closeSync();
      throw error;
    }
  }

  /** Memory used besides the block cache. */
  get memoryBytes(): number {
    return this.index.bytes + this.#filter.length;
  }

  retain(): void {
    assert(this.#holders > 0, 'a run is retained while somebody holds it');
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    assert(this.#holders >= 0, 'a run is released once per hold');
    if (this.#holders > 0) return;
    this.#file.closeSync();
    this.#onUnused?.();
  }

  /** Releases the store's hold permanently: `onUnused` removes the file once it is not read any more. */
  retire(onUnused: () => void): void {
    this.#onUnused = onUnused;
    this.release();
  }

  mayHaveOwner(owner: string): boolean {
    return mayFilterHave(this.#filter, finishHash(hashState(owner)));
  }

  /** The value, null if it is deleted here, undefined if older runs must be searched. */
  find(probe: Probe): RowValue | undefined | Promise<RowValue | undefined> {
    const value = this.#findRow(probe.rowKey, probe.rowHash);
    if (value === undefined) return this.#findRow(probe.dropKey, probe.dropHash);
    if (!(value instanceof Promise)) return value;
    return value.then((found) =>
      found === undefined ? this.#findRow(probe.dropKey, probe.dropHash) : found,
    );
  }

  drops(probe: Probe): boolean | Promise<boolean> {
    const value = this.#findRow(probe.dropKey, probe.dropHash);
    return value instanceof Promise ? value.then((found) => found !== undefined) : value !== undefined;
  }

  #findRow(rowKey: string, hash: number): RowValue | undefined | Promise<RowValue | undefined> {
    if (!mayFilterHave(this.#filter, hash)) return undefined;
    const number = this.index.findBlock(rowKey);
    const block = this.getCachedBlock(number);
    if (block !== undefined) return findInBlock(block, rowKey);
    return this.readBlock(number).then((read) => findInBlock(read, rowKey));
  }

  getCachedBlock(number: number): Buffer | undefined {
    return this.#cache.get(this.#cacheId + number);
  }

  /** Reads a block and caches it. */
  async readBlock(number: number): Promise<Buffer> {
    const [block] = await this.readBlocks(number, number + 1);
    this.#cache.set(this.#cacheId + number, block!);
    return block!;
  }

  /** Reads the blocks from `first` to `end` (exclusive) at once, bypassing the cache. */
  async readBlocks(first: number, end: number): Promise<Buffer[]> {
    const { blocks, damages } = await this.checkBlocks(this.#file, first, end);
    for (const { file, offset, problem } of damages) throw new TablesDamageError(file, offset, problem);
    return blocks;
  }

  /** Reads blocks through any handle on the file, and reports which are damaged. */
  async checkBlocks(
    file: OpenFile,
    first: number,
    end: number,
  ): Promise<{ blocks: Buffer[]; damages: Damage[] }> {
    const start = this.index.getOffset(first);
    const bytes = Buffer.allocUnsafeSlow(this.index.getOffset(end) - start);
    const count = await file.read(bytes, start);
    const blocks: Buffer[] = [];
    const damages: Damage[] = [];
    for (let number = first; number < end; number++) {
      const offset = this.index.getOffset(number);
      const blockEnd = this.index.getOffset(number + 1) - start;
      const block = bytes.subarray(offset - start, blockEnd);
      blocks.push(block);
      if (blockEnd > count) {
        damages.push({ file: this.path, offset, problem: 'the file ends inside this block' });
      } else if (crc32(block) !== this.index.getCrc(number)) {
        damages.push({ file: this.path, offset, problem: 'the checksum of this block does not match' });
      }
    }
    return { blocks, damages };
  }
}

function openDamageAware(fs: FileSystem, path: string): OpenFile {
  try {
    return fs.openSync(path, 'read');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new TablesDamageError(path, 0, 'the manifest names this file, but it is missing');
  }
}

function readParts(
  file: OpenFile,
  path: string,
  description: RunDescription,
): Pick<RunParts, 'footer' | 'index' | 'filter'> {
  const size = file.sizeSync();
  if (size !== description.bytes) {
    throw new TablesDamageError(path, size, `the file has ${size} bytes instead of ${description.bytes}`);
  }
  const section = (from: number, to: number): Buffer => {
    const bytes = Buffer.allocUnsafeSlow(to - from);
    if (file.readSync(bytes, from) === bytes.length) return bytes;
    throw new TablesDamageError(path, from, 'the file ends inside this section');
  };
  const footerOffset = size - footerBytes;
  const footer = decodeFooter(section(footerOffset, size), path, footerOffset, description.footerCrc);
  const index = section(footer.indexOffset, footer.filterOffset);
  const filter = section(footer.filterOffset, footerOffset);
  if (crc32(index) !== footer.indexCrc) {
    throw new TablesDamageError(path, footer.indexOffset, 'the checksum of the index does not match');
  }
  if (crc32(filter) !== footer.filterCrc) {
    throw new TablesDamageError(path, footer.filterOffset, 'the checksum of the filter does not match');
  }
  return { footer, index: BlockIndex.parse(index, footer.blockCount), filter };
}

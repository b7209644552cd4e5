/**
 * Writes a run: to a temporary name, synced, renamed, the directory synced. Nothing refers to it until a manifest names it;
 * if any step fails, nothing is left behind. The work is done in slices.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { FileSystem, OpenFile } from '#files';
import type { BlockCache } from './block-cache.ts';
import { ByteWriter } from '../byte-writer.ts';
import { addToFilter, createFilter, finishHash, hashState } from './filter.ts';
import { blockBytesTarget, ownerBytes, writeBytesTarget } from '../limits.ts';
import { Pacer } from '../pacer.ts';
import { type RowCursor, type RowValue, readOwner } from '../row.ts';
import { type BlockIndex, IndexWriter } from './block-index.ts';
import { type RunFooter, encodeFooter } from './run-format.ts';
import { Run, formatRunName } from './run.ts';

export interface RunTarget {
  readonly fs: FileSystem;
  readonly directory: string;
  readonly durable: boolean;
  readonly cache: BlockCache;
  readonly number: number;
}

export interface RunSource {
  readonly rows: RowCursor;
  /** An upper bound of the number of row keys and owners, which determines the size of the filter. */
  readonly filterEntriesMax: number;
  /** Deletions and drops are needed as long as an older run may contain what they hide. */
  readonly keepDeletions: boolean;
  readonly signal?: AbortSignal;
}

/** Returns undefined if there was no row to write. */
export async function writeRun(target: RunTarget, source: RunSource): Promise<Run | undefined> {
  const { fs, directory, durable, cache, number } = target;
  const path = join(directory, formatRunName(number));
  const temporaryPath = `${path}.tmp`;
  const file = await fs.open(temporaryPath, 'create');
  const abandon = async (): Promise<void> => {
    file.closeSync();
    // The file has one name or the other by now. If this fails too, the next opening removes it.
    await fs.unlink(temporaryPath).catch(() => fs.unlink(path).catch(() => undefined));
  };
  try {
    const writer = new RunWriter(file, source.filterEntriesMax);
    await copyRows(source, writer);
    if (writer.rowCount === 0) {
      await abandon();
      return undefined;
    }
    const { bytes, footer, footerCrc, index, filter } = await writer.finish();
    if (durable) await file.fdatasync();
    await fs.rename(temporaryPath, path);
    if (durable) await fs.fsyncDirectory(directory);
    return new Run({ path, file, description: { number, bytes, footerCrc }, footer, index, filter }, cache);
  } catch (error) {
    await abandon();
    throw error;
  }
}

async function copyRows({ rows, keepDeletions, signal }: RunSource, writer: RunWriter): Promise<void> {
  const pacer = new Pacer();
  while (rows.key !== undefined) {
    const { value } = rows;
    if (value !== null || keepDeletions) writer.add(rows.key, value);
    if (writer.isFull) await writer.drain();
    if (pacer.step()) {
      await pacer.rest();
      signal?.throwIfAborted();
    }
    const moving = rows.next();
    if (moving !== undefined) await moving;
  }
}

interface FinishedRun {
  readonly bytes: number;
  readonly footer: RunFooter;
  readonly footerCrc: number;
  readonly index: BlockIndex;
  readonly filter: Uint8Array;
}

class RunWriter {
  readonly #file: OpenFile;
  readonly #filter: Uint8Array;
  readonly #index = new IndexWriter();
  /** Bytes that are not yet in the file: finished blocks, then the current one. */
  readonly #output = new ByteWriter(writeBytesTarget + 2 * blockBytesTarget);
  #outputOffset = 0;
  #blockStart = 0;
  #separator = '';
  #rowBefore = '';
  #ownerHash = 0;
  #filterEntries = 0;
  #deletionCount = 0;
  rowCount = 0;

  constructor(file: OpenFile, filterEntriesMax: number) {
    this.#file = file;
    this.#filter = createFilter(filterEntriesMax);
  }

  get isFull(): boolean {
    return this.#output.length >= writeBytesTarget;
  }

  /** Rows must be added in ascending order. */
  add(rowKey: string, value: RowValue): void {
    let shared = measureShared(this.#rowBefore, rowKey);
    this.#addToFilter(rowKey, shared < ownerBytes);
    // The lengths take a few bytes each: a block may end up that much smaller than it could be.
    const rowBytesMax = 15 + rowKey.length + (value?.length ?? 0);
    const blockBytes = this.#output.length - this.#blockStart;
    if (blockBytes > 0 && blockBytes + rowBytesMax > blockBytesTarget) {
      this.#closeBlock();
    }
    if (this.#output.length === this.#blockStart) {
      this.#separator = this.rowCount === 0 ? '' : rowKey.slice(0, shared + 1);
      shared = 0;
    }
    this.#output.writeVarint(shared);
    this.#output.writeVarint(rowKey.length - shared);
    this.#output.writeVarint(value === null ? 0 : value.length + 1);
    this.#output.writeLatin1(rowKey, shared);
    if (value !== null) this.#output.writeBytes(value);
    else this.#deletionCount += 1;
    this.#rowBefore = rowKey;
    this.rowCount += 1;
  }

  /** Writes what has been collected. The current block ends here, a little early. */
  async drain(): Promise<void> {
    this.#closeBlock();
    const bytes = this.#output.view();
    await this.#file.write(bytes, this.#outputOffset);
    this.#outputOffset += bytes.length;
    this.#output.clear(writeBytesTarget + 2 * blockBytesTarget);
    this.#blockStart = 0;
  }

  async finish(): Promise<FinishedRun> {
    await this.drain();
    const indexOffset = this.#outputOffset;
    const index = this.#index.finish();
    const indexCrc = await this.#writeSection(index.section);
    const filterOffset = this.#outputOffset;
    const filterCrc = await this.#writeSection(this.#filter);
    const footer = {
      blockCount: index.blockCount,
      rowCount: this.rowCount,
      deletionCount: this.#deletionCount,
      filterEntries: this.#filterEntries,
      indexOffset,
      filterOffset,
      indexCrc,
      filterCrc,
    };
    const { bytes, crc } = encodeFooter(footer);
    await this.#writeSection(bytes);
    return { bytes: this.#outputOffset, footer, footerCrc: crc, index, filter: this.#filter };
  }

  #closeBlock(): void {
    const block = this.#output.view(this.#blockStart);
    if (block.length === 0) return;
    this.#index.add(block, this.#separator);
    this.#blockStart = this.#output.length;
  }

  #addToFilter(rowKey: string, isNewOwner: boolean): void {
    if (isNewOwner) {
      this.#ownerHash = hashState(readOwner(rowKey));
      addToFilter(this.#filter, finishHash(this.#ownerHash));
      this.#filterEntries += 1;
    }
    addToFilter(this.#filter, finishHash(hashState(rowKey, this.#ownerHash, ownerBytes)));
    this.#filterEntries += 1;
  }

  /** In chunks, so that the checksum of a large filter does not block the event loop. */
  async #writeSection(section: Uint8Array): Promise<number> {
    let crc = 0;
    for (let at = 0; at < section.length; at += writeBytesTarget) {
      const piece = section.subarray(at, at + writeBytesTarget);
      crc = crc32(piece, crc);
      await this.#file.write(piece, this.#outputOffset);
      this.#outputOffset += piece.length;
    }
    return crc;
  }
}

function measureShared(before: string, rowKey: string): number {
  const lengthMin = Math.min(before.length, rowKey.length);
  let length = 0;
  while (length < lengthMin && before.charCodeAt(length) === rowKey.charCodeAt(length)) length += 1;
  return length;
}

/**
 * Databases as plain files, read and written in pieces: memory does not grow with the file, and between two pieces the
 * event loop runs.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writevSync } from 'node:fs';
import { nextTurn } from '#work';
import { pageBytes, removeDatabase } from '#sqlite';
import type { OnProgress } from '../progress.ts';
import { type PageSource, blockPages } from './images.ts';

/** Offsets in the header of a database that say which journal it uses: 2 is a write-ahead log, 1 is not. */
const journalModeOffsets = [18, 19];

/** The pages of a database file with the page size of objects, as if an object had written it. */
export class DatabaseFile implements PageSource, Disposable {
  readonly pageCount: number;
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.pageCount = fstatSync(this.#file).size / pageBytes;
  }

  *blocks(): Generator<ReadonlyMap<number, Uint8Array>> {
    for (let first = 1; first <= this.pageCount; first += blockPages) {
      const bytes = Math.min(blockPages, this.pageCount - first + 1) * pageBytes;
      const memory = Buffer.allocUnsafeSlow(bytes);
      if (readSync(this.#file, memory, 0, bytes, (first - 1) * pageBytes) < bytes) {
        throw new Error('cannot read a database file: it was truncated in the meantime');
      }
      if (first === 1) for (const offset of journalModeOffsets) memory[offset] = 2;
      const pages = new Map<number, Uint8Array>();
      for (let at = 0; at < bytes; at += pageBytes) {
        pages.set(first + at / pageBytes, memory.subarray(at, at + pageBytes));
      }
      yield pages;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

/** A piece of a database file. */
export interface FilePiece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** The database as the file that other programs expect: without a write-ahead log. */
export function* toPlainFile(source: PageSource): Generator<FilePiece> {
  for (const pages of source.blocks()) {
    for (const [first, run] of contiguous(pages)) {
      const bytes = joinPages(run);
      if (first === 1) for (const offset of journalModeOffsets) bytes[offset] = 1;
      yield { offset: (first - 1) * pageBytes, bytes };
    }
  }
}

/** Writes a database as a file SQLite can open, at an unused path. The file is scratch and is not synced. */
export async function writeDatabaseFile(
  source: PageSource,
  path: string,
  onProgress?: OnProgress,
): Promise<void> {
  const file = openSync(path, 'wx', 0o600);
  const total = source.pageCount * pageBytes;
  try {
    for (const pages of source.blocks()) {
      let end = 0;
      for (const [first, run] of contiguous(pages)) {
        writeWhole(file, path, run, (first - 1) * pageBytes);
        end = (first - 1 + run.length) * pageBytes;
      }
      onProgress?.({ step: 'reading', done: end, total });
      await nextTurn();
    }
    ftruncateSync(file, total);
  } catch (error) {
    // On a full disk, an incomplete file must not take up the last of the space.
    removeDatabase(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Like `writeDatabaseFile`, for a database that is whole in memory. */
export function writeSmallFile(bytes: Uint8Array, path: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeWhole(file, path, [bytes], 0);
  } catch (error) {
    removeDatabase(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

function writeWhole(file: number, path: string, parts: readonly Uint8Array[], at: number): void {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  // A full disk accepts what still fits without reporting an error.
  if (writevSync(file, parts, at) < bytes) {
    throw Object.assign(new Error(`cannot write all of a database file: ${path}`), { code: 'ENOSPC' });
  }
}

/** One buffer: the one that contains the pages, if they are contiguous in it. */
function joinPages(pages: readonly Uint8Array[]): Uint8Array {
  const [first] = pages as readonly [Uint8Array];
  const isJoined = pages.every(
    ({ buffer, byteOffset }, index) =>
      buffer === first.buffer && byteOffset === first.byteOffset + index * pageBytes,
  );
  if (!isJoined) return Buffer.concat(pages);
  return new Uint8Array(first.buffer, first.byteOffset, pages.length * pageBytes);
}

/** Runs of neighbouring pages: one write each. */
function* contiguous(pages: ReadonlyMap<number, Uint8Array>): Generator<[first: number, run: Uint8Array[]]> {
  let first = 0;
  let run: Uint8Array[] = [];
  for (const [number, page] of pages) {
    if (run.length > 0 && number !== first + run.length) {
      yield [first, run];
      run = [];
    }
    if (run.length === 0) first = number;
    run.push(page);
  }
  if (run.length > 0) yield [first, run];
}

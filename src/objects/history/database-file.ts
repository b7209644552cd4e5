/**
 * Databases as plain files, read and written in pieces: memory does not grow with the file, and between two pieces the process
 * serves others.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writevSync } from 'node:fs';
import { nextTurn } from '#base';
import { pageBytes, removeDatabase } from '#sqlite';
import type { OnProgress } from '../progress.ts';
import { type PageSource, inBlocks } from './images.ts';

/** Offsets in the header of a database that say which journal it uses: 2 is a write-ahead log, 1 is not. */
const journalModeOffsets = [18, 19];

/** The pages of a database file with our page size, as if it had been written by an object. */
export class DatabaseFile implements PageSource, Disposable {
  readonly pageCount: number;
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.pageCount = fstatSync(this.#file).size / pageBytes;
  }

  blocks(): Iterable<ReadonlyMap<number, Uint8Array>> {
    return inBlocks(this.pageCount, (number) => {
      const page = Buffer.allocUnsafeSlow(pageBytes);
      if (readSync(this.#file, page, 0, pageBytes, (number - 1) * pageBytes) < pageBytes) {
        throw new Error('cannot read a database file: it became shorter meanwhile');
      }
      if (number === 1) for (const offset of journalModeOffsets) page[offset] = 2;
      return page;
    });
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
      const bytes = Buffer.concat(run);
      if (first === 1) for (const offset of journalModeOffsets) bytes[offset] = 1;
      yield { offset: (first - 1) * pageBytes, bytes };
    }
  }
}

/** Writes a database as a file SQLite can open, at a path nobody has used. Scratch: not synced. */
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
    // On a full disk, half a file must not keep others from the last of the space.
    removeDatabase(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The same for a database that is whole in memory. */
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
  // A disk that is full takes what still fits and does not say so.
  if (writevSync(file, parts, at) < bytes) {
    throw Object.assign(new Error(`cannot write all of a database file: ${path}`), { code: 'ENOSPC' });
  }
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

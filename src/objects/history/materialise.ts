/**
 * An object's database as it was at any of its records: the one operation behind waking, recovery, export
 * and snapshots. Walks the object's chain back from the record until it meets a snapshot or the record
 * where the database started over; the newest image of each page on the way wins.
 */
import { closeSync, ftruncateSync, openSync, writevSync } from 'node:fs';
import { type Journal, type Position, noPosition } from '#journal';
import { pageBytes, removeDatabase } from '#sqlite';
import { type ImageKind, type Images, type PageSource, blockPages } from './images.ts';
import { decodePages, pageCountOf } from '../pages/page-images.ts';
import { SmallDatabase } from '../pages/small-database.ts';
import { smallDatabaseBytesMax } from '../limits.ts';
import { type Commit, type Owner, decodeCommit } from '../ledger/records.ts';

export interface Chain {
  readonly owner: Owner;
  readonly snapshots: readonly Position[];
}

/** The records of an object before the ones that are kept are gone, and no snapshot stands in for them. */
export class HistoryMissingError extends Error {
  override readonly name = 'HistoryMissingError';
  readonly code = 'HISTORY_MISSING';

  constructor(position: Position, journal: Journal) {
    super(
      `cannot put together the database of an object, its record at position ${position} is missing: ${journal.directory} keeps ${journal.start} to ${journal.durableEnd}`,
    );
  }
}

/** Where images are read from. */
export type ImageSource = Pick<Images, 'read' | 'pageCount' | 'has'>;

const small = new SmallDatabase();
let record = Buffer.alloc(0);

/** The memory of the record before, unless that was too small or this one is too large to be worth keeping. */
function allocateAgain(bytes: number): Buffer {
  if (bytes > smallDatabaseBytesMax) return Buffer.allocUnsafe(bytes);
  if (record.length < bytes) record = Buffer.allocUnsafeSlow(bytes);
  return record.subarray(0, bytes);
}

export class Materialiser {
  readonly #journal: Journal;
  readonly #images: ImageSource;

  constructor(journal: Journal, images: ImageSource) {
    this.#journal = journal;
    this.#images = images;
  }

  /** The database after the record at `position`; position zero is the empty database. */
  at(chain: Chain, position: Position): PageSource {
    const newest = new Map<number, Uint8Array>();
    let pageCount: number | undefined;
    const start = this.#walkBack(chain, position, (encoded) => {
      const images = decodePages(encoded);
      pageCount ??= images.pageCount;
      for (const [number, page] of images.pages) if (!newest.has(number)) newest.set(number, page);
      return true;
    });
    if (start === undefined) return new Layered(pageCount ?? 0, newest, []);
    const { position: image, kind } = start;
    pageCount ??= this.#images.pageCount(chain.owner, image, kind);
    return new Layered(pageCount, newest, {
      [Symbol.iterator]: () => this.#images.read(chain.owner, image, kind),
    });
  }

  /**
   * Writes the database after the record at `position` as a file that SQLite can open. `pathFor` names one nobody has used,
   * for a database of that many bytes; an empty database has no file. Answers the path.
   */
  writeFile(chain: Chain, position: Position, pathFor: (bytes: number) => string): string {
    const small = this.#small(chain, position);
    if (small === undefined) {
      const source = this.at(chain, position);
      const path = pathFor(source.pageCount * pageBytes);
      writeDatabaseFile(source, path);
      return path;
    }
    const path = pathFor(small.length);
    if (small.length > 0) writeScratchFile(path, (file) => writeWhole(file, path, [small], 0));
    return path;
  }

  /** The bytes of the database if it is small. To be used at once: the next call overwrites them. */
  #small(chain: Chain, position: Position): Uint8Array | undefined {
    let pageCount: number | undefined;
    const begin = (count: number): void => {
      pageCount = count;
      if (SmallDatabase.fits(count)) small.begin(count);
    };
    const start = this.#walkBack(
      chain,
      position,
      (encoded) => {
        if (pageCount === undefined) begin(pageCountOf(encoded));
        if (!SmallDatabase.fits(pageCount!)) return false;
        small.addEncoded(encoded);
        return true;
      },
      allocateAgain,
    );
    if (start !== undefined) {
      const { position: image, kind } = start;
      if (pageCount === undefined) begin(this.#images.pageCount(chain.owner, image, kind));
      if (!SmallDatabase.fits(pageCount!)) return undefined;
      for (const pages of this.#images.read(chain.owner, image, kind)) small.add(pages);
    } else if (pageCount === undefined) {
      return new Uint8Array();
    }
    return SmallDatabase.fits(pageCount!) ? small.finish() : undefined;
  }

  /**
   * Shows the pages of the records from `position` back, newest first, until one starts the database over, a snapshot
   * stands in for it, or `onPages` answers false. Answers the image that lies below them, if there is one.
   */
  #walkBack(
    chain: Chain,
    position: Position,
    onPages: (encoded: Uint8Array) => boolean,
    allocate?: (bytes: number) => Buffer,
  ): { readonly position: Position; readonly kind: ImageKind } | undefined {
    for (let at = position; at !== noPosition;) {
      if (chain.snapshots.includes(at)) return { position: at, kind: 'snapshot' };
      if (at < this.#journal.start) throw new HistoryMissingError(at, this.#journal);
      const commit = decodeCommit(this.#journal.read(at, allocate).payload);
      if (commit.pages !== undefined && !onPages(commit.pages)) return undefined;
      if (commit.base !== undefined) {
        const { image } = commit.base;
        return image === noPosition ? undefined : { position: image, kind: 'base' };
      }
      at = commit.previous;
    }
    return undefined;
  }

  /** Whether everything that `at` needs for this position is still kept. */
  reaches(chain: Chain, position: Position): boolean {
    for (let at = position; at !== noPosition;) {
      if (chain.snapshots.includes(at)) return true;
      if (at < this.#journal.start) return false;
      const commit = decodeCommit(this.#journal.read(at).payload);
      // A forged or foreign position would lead into another object's records.
      if (commit.owner !== chain.owner) return false;
      if (commit.base !== undefined) {
        const { image } = commit.base;
        // A crash may have come between the going of the image and that of the record that names it.
        return image === noPosition || this.#images.has(chain.owner, image, 'base');
      }
      at = commit.previous;
    }
    return true;
  }

  /** The records of an object's chain, newest first, from the one at `position`. */
  *walk(position: Position): Generator<{ position: Position; time: number; bytes: number; commit: Commit }> {
    for (let at = position; at !== noPosition && at >= this.#journal.start;) {
      const record = this.#journal.read(at);
      const commit = decodeCommit(record.payload);
      yield { position: at, time: record.time, bytes: record.end - record.position, commit };
      at = commit.previous;
    }
  }
}

/** Newer pages over an older image. */
class Layered implements PageSource {
  readonly pageCount: number;
  readonly #newer: ReadonlyMap<number, Uint8Array>;
  readonly #older: Iterable<ReadonlyMap<number, Uint8Array>>;

  constructor(
    pageCount: number,
    newer: ReadonlyMap<number, Uint8Array>,
    older: Iterable<ReadonlyMap<number, Uint8Array>>,
  ) {
    this.pageCount = pageCount;
    this.#newer = newer;
    this.#older = older;
  }

  *blocks(): Generator<ReadonlyMap<number, Uint8Array>> {
    let covered = 0;
    for (const pages of this.#older) {
      const block = new Map<number, Uint8Array>();
      for (const [number, page] of pages) {
        if (number <= this.pageCount) block.set(number, this.#newer.get(number) ?? page);
        covered = Math.max(covered, number);
      }
      if (block.size > 0) yield block;
    }
    const rest = [...this.#newer].filter(([number]) => number > covered && number <= this.pageCount);
    rest.sort(([a], [b]) => a - b);
    for (let at = 0; at < rest.length; at += blockPages) yield new Map(rest.slice(at, at + blockPages));
  }
}

/** Writes a database as a file SQLite can open, at a path nobody has used. Scratch: not synced. */
export function writeDatabaseFile(source: PageSource, path: string): void {
  writeScratchFile(path, (file) => {
    for (const pages of source.blocks()) {
      for (const [first, run] of contiguous(pages)) writeWhole(file, path, run, (first - 1) * pageBytes);
    }
    ftruncateSync(file, source.pageCount * pageBytes);
  });
}

function writeScratchFile(path: string, write: (file: number) => void): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    write(file);
  } catch (error) {
    // On a full disk, half a file must not keep others from the last of the space.
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

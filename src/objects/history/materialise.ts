/**
 * An object's database as it was at any of its records: the one operation behind waking, recovery, export
 * and snapshots. Walks the object's chain back from the record until it meets a snapshot or the record
 * where the database started over; the newest image of each page on the way wins.
 */
import { closeSync, ftruncateSync, openSync, writevSync } from 'node:fs';
import { type Journal, type Position, noPosition } from '#journal';
import { pageBytes, removeDatabase } from '#sqlite';
import { type ImageKind, type Images, type PageSource, blockPages } from './images.ts';
import { decodePages } from './page-images.ts';
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
    let start: { position: Position; kind: ImageKind } | undefined;
    for (let at = position; at !== noPosition;) {
      if (chain.snapshots.includes(at)) {
        start = { position: at, kind: 'snapshot' };
        break;
      }
      if (at < this.#journal.start) throw new HistoryMissingError(at, this.#journal);
      const commit = decodeCommit(this.#journal.read(at).payload);
      if (commit.pages !== undefined) {
        const images = decodePages(commit.pages);
        pageCount ??= images.pageCount;
        for (const [number, page] of images.pages) if (!newest.has(number)) newest.set(number, page);
      }
      if (commit.base !== undefined) {
        const { image } = commit.base;
        if (image !== noPosition) start = { position: image, kind: 'base' };
        break;
      }
      at = commit.previous;
    }
    if (start === undefined) return new Layered(pageCount ?? 0, newest, []);
    const { position: image, kind } = start;
    pageCount ??= this.#images.pageCount(chain.owner, image, kind);
    return new Layered(pageCount, newest, {
      [Symbol.iterator]: () => this.#images.read(chain.owner, image, kind),
    });
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
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const pages of source.blocks()) {
      for (const [first, run] of contiguous(pages)) {
        const written = writevSync(file, run, (first - 1) * pageBytes);
        // A disk that is full takes what still fits and does not say so.
        if (written < run.length * pageBytes) {
          throw Object.assign(new Error(`cannot write all of a database file: ${path}`), { code: 'ENOSPC' });
        }
      }
    }
    ftruncateSync(file, source.pageCount * pageBytes);
  } catch (error) {
    // On a full disk, half a file must not keep others from the last of the space.
    removeDatabase(path);
    throw error;
  } finally {
    closeSync(file);
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

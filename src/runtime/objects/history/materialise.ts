/**
 * An object's database as it was at any of its records: the one operation behind waking, recovery, export
 * and snapshots. Walks the object's chain back from the record until it meets a snapshot or the record
 * where the database started over; the newest image of each page on the way wins.
 */
import { nextTurn } from '#work';
import { JournalDamageError, JournalRangeError, type Log, type Position, noPosition } from '#journal';
import { pageBytes } from '#sqlite';
import { writeDatabaseFile, writeSmallFile } from './database-file.ts';
import { ImageDamageError, type ImageKind, type Images, type PageSource, blockPages } from './images.ts';
import { decodePages, pageCountOf } from '../pages/page-images.ts';
import { SmallDatabase } from '../pages/small-database.ts';
import { materialisePieceBytes, smallDatabaseBytesMax } from '../limits.ts';
import { PageIndex } from './page-index.ts';
import { type Commit, type Owner, decodeCommit } from '../ledger/records.ts';

export interface Chain {
  readonly owner: Owner;
  readonly snapshots: readonly Position[];
}

/** The object's records before the ones still kept were dropped, and no snapshot replaces them. */
export class HistoryMissingError extends Error {
  override readonly name = 'HistoryMissingError';
  readonly code = 'HISTORY_MISSING';

  constructor(position: Position, journal: Log) {
    super(
      `cannot put together the database of an object, its record at position ${position} is missing: ${journal.directory} keeps ${journal.start} to ${journal.durableEnd}`,
    );
  }
}

/** Something that was written is missing, as opposed to a disk that fails now. */
export function isLoss(error: unknown): error is Error {
  return [ImageDamageError, JournalDamageError, JournalRangeError, HistoryMissingError, RangeError].some(
    (kind) => error instanceof kind,
  );
}

/** Where images are read from. */
export type ImageSource = Pick<Images, 'read' | 'pageCount' | 'has'>;

interface PagesRecord {
  readonly position: Position;
  readonly payload: Uint8Array;
  /** The pages, as a part of the payload. */
  readonly pages: Uint8Array;
}

interface ImagePlace {
  readonly position: Position;
  readonly kind: ImageKind;
}

/** The newest image of each page that the log contains. */
interface PageLayer {
  get(number: number): Uint8Array | undefined;
}

const small = new SmallDatabase();
let record = Buffer.alloc(0);

/** Reuses the memory of the previous record, unless it was too small or this one is too large to keep. */
function allocateAgain(bytes: number): Buffer {
  if (bytes > smallDatabaseBytesMax) return Buffer.allocUnsafe(bytes);
  if (record.length < bytes) record = Buffer.allocUnsafeSlow(bytes);
  return record.subarray(0, bytes);
}

export class Materialiser {
  readonly #journal: Log;
  readonly #images: ImageSource;

  constructor(journal: Log, images: ImageSource) {
    this.#journal = journal;
    this.#images = images;
  }

  /** The database after the record at `position`; position zero is the empty database. */
  async at(chain: Chain, position: Position): Promise<PageSource> {
    let layer: PageLayer = new Map<number, Uint8Array>();
    let pageCount: number | undefined;
    const walk = this.#walkBack(chain, position, allocateAgain);
    let unpaused = 0;
    let step = walk.next();
    for (; step.done !== true; step = walk.next()) {
      const { position: at, payload, pages } = step.value;
      if (pageCount === undefined) {
        pageCount = pageCountOf(pages);
        if (!SmallDatabase.fits(pageCount)) layer = new PageIndex(this.#journal, pageCount);
      }
      if (layer instanceof PageIndex) layer.add(at, payload, pages);
      else addPages(layer as Map<number, Uint8Array>, pages);
      unpaused += payload.length;
      if (unpaused < materialisePieceBytes) continue;
      unpaused = 0;
      await nextTurn();
    }
    const start = step.value;
    if (start === undefined) return new Layered(pageCount ?? 0, layer, []);
    const { position: image, kind } = start;
    pageCount ??= this.#images.pageCount(chain.owner, image, kind);
    return new Layered(pageCount, layer, {
      [Symbol.iterator]: () => this.#images.read(chain.owner, image, kind),
    });
  }

  /**
   * Writes the database after the record at `position` as a file that SQLite can open. `pathFor` returns an unused path
   * for a database of that many bytes; an empty database has no file. Returns the path, or a promise of it if the
   * database is large.
   */
  writeFile(chain: Chain, position: Position, pathFor: (bytes: number) => string): string | Promise<string> {
    const small = this.#small(chain, position);
    if (small === undefined) return this.#writeLarge(chain, position, pathFor);
    const path = pathFor(small.length);
    if (small.length > 0) writeSmallFile(small, path);
    return path;
  }

  async #writeLarge(chain: Chain, position: Position, pathFor: (bytes: number) => string): Promise<string> {
    const source = await this.at(chain, position);
    const path = pathFor(source.pageCount * pageBytes);
    await writeDatabaseFile(source, path);
    return path;
  }

  /** The bytes of the database if it is small. Use them at once: the next call overwrites them. */
  #small(chain: Chain, position: Position): Uint8Array | undefined {
    let pageCount: number | undefined;
    const begin = (count: number): void => {
      pageCount = count;
      if (SmallDatabase.fits(count)) small.begin(count);
    };
    const walk = this.#walkBack(chain, position, allocateAgain);
    let step = walk.next();
    for (; step.done !== true; step = walk.next()) {
      const { pages } = step.value;
      if (pageCount === undefined) begin(pageCountOf(pages));
      if (!SmallDatabase.fits(pageCount!)) return undefined;
      small.addEncoded(pages);
    }
    const start = step.value;
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
   * The records with pages from `position` back, newest first, until one starts the database over or a snapshot
   * replaces it. Returns the image below them, if there is one. The memory of a record is used again for the next.
   */
  *#walkBack(
    chain: Chain,
    position: Position,
    allocate: (bytes: number) => Buffer,
  ): Generator<PagesRecord, ImagePlace | undefined> {
    for (let at = position; at !== noPosition;) {
      if (chain.snapshots.includes(at)) return { position: at, kind: 'snapshot' };
      if (at < this.#journal.start) throw new HistoryMissingError(at, this.#journal);
      const { payload } = this.#journal.read(at, allocate);
      const { pages, base, previous } = decodeCommit(payload);
      if (pages !== undefined) yield { position: at, payload, pages };
      if (base !== undefined) {
        const { image } = base;
        return image === noPosition ? undefined : { position: image, kind: 'base' };
      }
      at = previous;
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
        // A crash may have happened between removing the image and dropping the record that names it.
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
  readonly #newer: PageLayer;
  readonly #older: Iterable<ReadonlyMap<number, Uint8Array>>;

  constructor(pageCount: number, newer: PageLayer, older: Iterable<ReadonlyMap<number, Uint8Array>>) {
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
    let block = new Map<number, Uint8Array>();
    for (let number = covered + 1; number <= this.pageCount; number++) {
      const page = this.#newer.get(number);
      if (page !== undefined) block.set(number, page);
      if (block.size < blockPages) continue;
      yield block;
      block = new Map();
    }
    if (block.size > 0) yield block;
  }
}

function addPages(layer: Map<number, Uint8Array>, encoded: Uint8Array): void {
  for (const [number, page] of decodePages(encoded).pages) if (!layer.has(number)) layer.set(number, page);
}

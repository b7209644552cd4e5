/**
 * An object's past from outside, for operators. The object need not be awake, and reading disturbs nothing; `restore`
 * and `importFrom` reset the object and take effect at once.
 */
import { existsSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { fsync } from '#files';
import { copyDatabaseAside, pageBytes, removeDatabase } from '#sqlite';
import { noPosition } from '#journal';
import { ObjectChangedError, flagged } from '../errors.ts';
import { type IdFactory, nameInsideObject } from '../ids.ts';
import type { Scratch } from '../files/scratch.ts';
import type { Chronicle, Ledger } from '../ledger/ledger.ts';
import type { OnProgress } from '../progress.ts';
import { DatabaseFile, type FilePiece, toPlainFile, writeDatabaseFile } from './database-file.ts';
import type { Historian, HistoryPoint } from './historian.ts';
import type { PageSource } from './images.ts';
import { PastObject } from './past-object.ts';
import { carryKeptTables, completeRestore, readAlarm } from './restore.ts';

export interface ObjectHistoryParts {
  readonly scratch: Scratch;
  /** The name that the object was requested by, if any. */
  readonly name: string | undefined;
  readonly ids: IdFactory;
  readonly historian: Historian;
  /** Keeps every file of history until the hold is disposed of. */
  readonly holdHistory: () => Promise<Disposable>;
  readonly withLedger: <T>(work: (ledger: Ledger) => Promise<T>) => Promise<T>;
  /** Resolves when what the object has written so far is recorded. */
  readonly committed: () => Promise<void>;
  /** Resets the object if it is awake. */
  readonly reset: (cause: Error) => void;
}

export interface ExportOptions {
  /** The bookmark of the requested state; by default the newest. */
  readonly at?: string;
  readonly onProgress?: OnProgress;
}

export interface ImportOptions {
  readonly unlessChangedSince?: string;
  /** Whether tables that the object keeps over restores are also taken from the file: for a copy of a whole object. */
  readonly replacesKept?: boolean;
  /** Aborts the import, unless the object has already been changed. */
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** A plain SQLite file that is not on disk. */
export interface PlainFile {
  /** The bookmark of its state. */
  readonly bookmark: string;
  readonly bytes: number;
  readonly pieces: Iterable<FilePiece> | AsyncIterable<FilePiece>;
}

export class ObjectHistory {
  readonly #parts: ObjectHistoryParts;

  /** @internal */
  constructor(parts: ObjectHistoryParts) {
    this.#parts = parts;
  }

  /** The bookmark of the current state. */
  current(): Promise<string> {
    return this.#use(async (object) => this.#parts.historian.currentBookmark(object, this.#parts.ids));
  }

  /** The bookmark of a moment, as the object's own `getBookmarkForTime()` finds it. */
  bookmarkForTime(time: number | Date): Promise<string> {
    return this.#use(async (object) =>
      this.#parts.historian.bookmarkForTime(object, this.#parts.ids, Number(time)),
    );
  }

  /** The points that can be restored, newest first, from a bookmark on if one is given. */
  points({ limit = 100, from }: { limit?: number; from?: string } = {}): Promise<HistoryPoint[]> {
    return this.#use(async (object) => {
      const { historian, ids } = this.#parts;
      const start = from === undefined ? object.entry.head : await historian.resolve(object, ids, from);
      return await historian.points(object, ids, { from: start, limit });
    });
  }

  /** The object as it was at a bookmark, for reading. Dispose of it when done. */
  readAt(bookmark: string): Promise<PastObject> {
    return this.#read(bookmark, async (source) => {
      const path = this.#scratch(source.pageCount * pageBytes);
      if (source.pageCount > 0) await writeDatabaseFile(source, path);
      return new PastObject(path);
    });
  }

  /** Restores the object to a bookmark now; returns the bookmark that undoes it. */
  restore(bookmark: string, { onProgress }: { readonly onProgress?: OnProgress } = {}): Promise<string> {
    return this.#use(async (object, ledger) => {
      const { historian, ids, scratch } = this.#parts;
      await historian.resolve(object, ids, bookmark);
      return await this.#replace(ledger, async () => {
        // Again, now that no other work can interleave: meanwhile its record may have been dropped.
        const target = await historian.resolve(await ledger.settled(), ids, bookmark);
        const undo = await historian.request(ledger, ids, target);
        await completeRestore(historian, ledger, { scratch, onProgress });
        return undo;
      });
    });
  }

  /** Writes the object's database as a plain SQLite file, in its current state or that of a bookmark. */
  async exportTo(path: string, { at, onProgress }: ExportOptions = {}): Promise<void> {
    if (existsSync(path)) throw new Error(`cannot export, the file exists already: ${path}`);
    await this.readFile(at === undefined ? {} : { at }, async ({ bytes: total, pieces }) => {
      const file = await open(path, 'wx', 0o600);
      try {
        for await (const { offset, bytes } of pieces) {
          await file.writev([bytes], offset);
          onProgress?.({ step: 'writing', done: offset + bytes.length, total });
        }
        await file.truncate(total);
        await fsync(file.fd);
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    });
  }

  /**
   * The object's database as the bytes of a plain SQLite file, in its current state or that of a bookmark. The pieces
   * are in order, with zeros between them. They are valid until `use` resolves.
   */
  readFile<T>({ at }: { readonly at?: string }, use: (file: PlainFile) => Promise<T>): Promise<T> {
    return this.#read(at, (source, bookmark) =>
      use({ bookmark, bytes: source.pageCount * pageBytes, pieces: toPlainFile(source) }),
    );
  }

  /**
   * Makes a plain SQLite file the object's database; returns the bookmark that undoes it. With `unlessChangedSince` it
   * fails if the object has written anything after that bookmark.
   */
  importFrom(
    path: string,
    { unlessChangedSince, replacesKept = false, signal, onProgress }: ImportOptions = {},
  ): Promise<string> {
    return this.#use(async (before, ledger) => {
      const { historian, ids } = this.#parts;
      if (!existsSync(path)) throw new Error(`cannot import, the file does not exist: ${path}`);
      const total = statSync(path).size;
      const scratch = this.#scratch(total);
      const checkUnchanged = (object: Chronicle): void => {
        if (unlessChangedSince === undefined) return;
        if (historian.currentBookmark(object, ids) !== unlessChangedSince) throw new ObjectChangedError();
      };
      checkUnchanged(before);
      try {
        const onBytes = (done: number): void => onProgress?.({ step: 'checking', done, total });
        await copyDatabaseAside(path, scratch, { onBytes, signal });
        const alarm = readAlarm(scratch);
        return await this.#replace(ledger, async () => {
          const object = await ledger.settled();
          checkUnchanged(object);
          if (!replacesKept)
            await carryKeptTables(historian, object, { scratch: this.#parts.scratch, path: scratch });
          using source = new DatabaseFile(scratch);
          const undo = historian.currentBookmark(object, ids);
          const name = nameInsideObject(this.#parts.name);
          await historian.startOver(ledger, source, { request: noPosition, alarm, name }, onProgress);
          return undo;
        });
      } finally {
        removeDatabase(scratch);
      }
    });
  }

  /** Reads the database at a bookmark, or the newest, and keeps its files on disk meanwhile. */
  #read<T>(
    bookmark: string | undefined,
    use: (source: PageSource, bookmark: string) => Promise<T>,
  ): Promise<T> {
    return this.#use(async () => {
      const { historian, ids, holdHistory, withLedger } = this.#parts;
      using _hold = await holdHistory();
      const object = await withLedger((ledger) => ledger.settled());
      const position =
        bookmark === undefined ? object.entry.head : await historian.resolve(object, ids, bookmark);
      const found = bookmark ?? historian.currentBookmark(object, ids);
      return await historian.readDatabase(object, position, (source) => use(source, found));
    });
  }

  #use<T>(work: (object: Chronicle, ledger: Ledger) => Promise<T>): Promise<T> {
    return this.#parts.withLedger(async (ledger) => {
      await this.#parts.committed();
      return await work(await ledger.settled(), ledger);
    });
  }

  #replace<T>(ledger: Ledger, work: () => Promise<T>): Promise<T> {
    return ledger.exclusively(async () => {
      const cause = new Error('Durable Object was reset because its storage was replaced by an operator.');
      this.#parts.reset(flagged(cause, { durableObjectReset: true }));
      await ledger.settled();
      return await work();
    });
  }

  #scratch(bytes: number): string {
    return this.#parts.scratch.pathFor('history', bytes);
  }
}

/**
 * An object's past from outside, for operators. Nothing here needs the object awake, and looking disturbs
 * nothing; `restore` and `importFrom` reset the object and take effect at once.
 */
import { existsSync, statSync } from 'node:fs';
import { type SqlCursor, SqlDatabase, copyDatabase, pageBytes, removeDatabase } from '#sqlite';
import { decodeValue } from '#values';
import { noPosition } from '#journal';
import { flagged } from '../errors.ts';
import { type IdFactory, nameInsideObject } from '../ids.ts';
import type { Scratch } from '../files/scratch.ts';
import type { Chronicle, Ledger } from '../ledger/ledger.ts';
import { fromBinaryKey } from '../stores/binary-keys.ts';
import { HiddenTables } from '../stores/hidden-tables.ts';
import { databaseFilePages } from './database-file.ts';
import type { Historian, HistoryPoint } from './historian.ts';
import { writeDatabaseFile } from './materialise.ts';
import { alarmIn, completeRestore } from './restore.ts';

export interface ObjectHistoryParts {
  readonly scratch: Scratch;
  /** The name the object is asked for by, if it is by name. */
  readonly name: string | undefined;
  readonly ids: IdFactory;
  readonly historian: Historian;
  readonly withLedger: <T>(work: (ledger: Ledger) => Promise<T>) => Promise<T>;
  /** Resolves when what the object has written so far is recorded. */
  readonly committed: () => Promise<void>;
  /** Resets the object if it is awake. */
  readonly reset: (cause: Error) => void;
}

export class ObjectHistory {
  readonly #parts: ObjectHistoryParts;

  /** @internal */
  constructor(parts: ObjectHistoryParts) {
    this.#parts = parts;
  }

  /** The bookmark of now. */
  current(): Promise<string> {
    return this.#use(async (object) => this.#parts.historian.currentBookmark(object, this.#parts.ids));
  }

  /** The bookmark of a moment, as the object's own `getBookmarkForTime()` finds it. */
  bookmarkForTime(time: number | Date): Promise<string> {
    return this.#use(async (object) =>
      this.#parts.historian.bookmarkForTime(object, this.#parts.ids, Number(time)),
    );
  }

  /** The points that can be gone back to, newest first. */
  points({ limit = 100 }: { limit?: number } = {}): Promise<HistoryPoint[]> {
    return this.#use(async (object) =>
      this.#parts.historian.points(object, this.#parts.ids).take(limit).toArray(),
    );
  }

  /** The object as it was at a bookmark, to look at. Dispose of it when done. */
  readAt(bookmark: string): Promise<PastObject> {
    return this.#use(async (object) => {
      const { historian, ids } = this.#parts;
      const source = historian.databaseAt(object, historian.resolve(object, ids, bookmark));
      const path = this.#scratch(source.pageCount * pageBytes);
      if (source.pageCount > 0) writeDatabaseFile(source, path);
      return new PastObject(path);
    });
  }

  /** Puts the object back to a bookmark now; answers the bookmark that undoes it. */
  restore(bookmark: string): Promise<string> {
    return this.#use(async (object, ledger) => {
      const { historian, ids } = this.#parts;
      historian.resolve(object, ids, bookmark);
      return await this.#replace(ledger, async () => {
        // Again, now that nothing can come between: meanwhile its time may have run out.
        const target = historian.resolve(await ledger.settled(), ids, bookmark);
        const undo = await historian.request(ledger, ids, target);
        await completeRestore(historian, ledger, this.#parts.scratch);
        return undo;
      });
    });
  }

  /** Writes the object's database as a plain SQLite file, as of now or of a bookmark. */
  exportTo(path: string, { at }: { at?: string } = {}): Promise<void> {
    return this.#use(async (object) => {
      if (existsSync(path)) throw new Error(`cannot export, the file exists already: ${path}`);
      const { historian, ids } = this.#parts;
      const position = at === undefined ? object.entry.head : historian.resolve(object, ids, at);
      const source = historian.databaseAt(object, position);
      const scratch = this.#scratch(source.pageCount * pageBytes);
      try {
        writeDatabaseFile(source, scratch);
        copyDatabase(scratch, path);
      } finally {
        removeDatabase(scratch);
      }
    });
  }

  /** Makes a plain SQLite file the object's database; answers the bookmark that undoes it. */
  importFrom(path: string): Promise<string> {
    return this.#use(async (_object, ledger) => {
      const { historian, ids } = this.#parts;
      if (!existsSync(path)) throw new Error(`cannot import, there is no such file: ${path}`);
      const scratch = this.#scratch(statSync(path).size);
      try {
        copyDatabase(path, scratch);
        const source = databaseFilePages(scratch);
        const alarm = alarmIn(source, this.#parts.scratch);
        return await this.#replace(ledger, async () => {
          const undo = historian.currentBookmark(await ledger.settled(), ids);
          await historian.startOver(ledger, source, {
            request: noPosition,
            alarm,
            name: nameInsideObject(this.#parts.name),
          });
          return undo;
        });
      } finally {
        removeDatabase(scratch);
      }
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

/** A copy of an object's storage at one moment. It can be read, and nothing else. */
export class PastObject implements Disposable {
  readonly #path: string;
  readonly #database: SqlDatabase;
  readonly #hidden: HiddenTables;

  /** @internal */
  constructor(path: string) {
    this.#path = path;
    this.#database = new SqlDatabase(path, {
      beforeWrite: () => {
        throw new Error('cannot write to the past: this is a copy of an object as it was');
      },
    });
    this.#hidden = new HiddenTables(this.#database);
  }

  exec(query: string, ...bindings: unknown[]): SqlCursor {
    return this.#database.exec(query, ...bindings);
  }

  get(key: string): unknown {
    const bytes = this.#hidden.get(key);
    return bytes === undefined ? undefined : decodeValue(bytes);
  }

  list(): Map<string, unknown> {
    const rows = this.#hidden.list({ start: '', end: undefined, reverse: false, limit: undefined });
    return new Map(rows.map(([key, value]) => [fromBinaryKey(key), decodeValue(value)]));
  }

  [Symbol.dispose](): void {
    this.#database.close();
    removeDatabase(this.#path);
  }
}

/**
 * An object's database as a file of this process: exported, imported, or read and changed in a temporary copy. SQL of
 * an operator runs here and not in the process that serves the objects: a statement that never ends blocks no other
 * work.
 */
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { replaceFile } from '#files';
import { objectCodes } from '#contract';
import { ApiError } from '#client';
import { DatabaseCopy, type OnProgress } from '#objects';
import type { OperatorAccess } from './operator-client.ts';
import { OperatorError } from './error.ts';
import { changeTries, pieceBytesMax } from './limits.ts';
import type { Moment } from './moment.ts';
import { findBookmark, type ObjectPlace } from './history.ts';

interface Told {
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Writes the database to a file that must not exist, and that is complete as soon as it exists. Resolves to the
 * bookmark of its state.
 */
export async function exportDatabase(
  access: OperatorAccess,
  place: ObjectPlace,
  { file, at, onProgress }: Told & { readonly file: string; readonly at?: Moment | undefined },
): Promise<string> {
  if (existsSync(file)) throw new OperatorError(`cannot export, the file exists already: ${file}`);
  return await replaceFile(file, async (handle) => {
    const query = at === undefined ? {} : { at: await findBookmark(access, place, at) };
    const { headers, body } = await access.client.stream('/objects/{class_name}/{object}/export', {
      ...place,
      query,
    });
    const total = Number(headers.get('content-length'));
    let done = 0;
    for await (const piece of body!) {
      await handle.writeFile(piece as Uint8Array);
      done += piece.length;
      onProgress?.({ step: 'writing', done, total });
    }
    return headers.get('x-object-bookmark')!;
  }).catch((error: Error) => {
    if ((error as NodeJS.ErrnoException).code !== 'FILE_WRITE_FAILED') throw error;
    throw new OperatorError(`cannot export to ${file}: ${(error.cause as Error).message}`, { cause: error });
  });
}

/** Replaces the database of an object by a file. Resolves to the bookmark that undoes it. */
export async function importDatabase(
  access: OperatorAccess,
  place: ObjectPlace,
  {
    file,
    unlessChangedSince,
    onProgress,
  }: Told & { readonly file: string; readonly unlessChangedSince?: string },
): Promise<string> {
  if (!existsSync(file)) throw new OperatorError(`cannot import, the file does not exist: ${file}`);
  if (!statSync(file).isFile()) throw new OperatorError(`cannot import, this is not a file: ${file}`);
  // While it is read, no other process can fold a write-ahead log into it or write to it.
  using _reader = openReader(file);
  const bytes = statSync(file).size;
  const walBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const { result } = await access.client.put('/objects/{class_name}/{object}/database', {
    ...place,
    query: { bytes: bytes + walBytes, wal_bytes: walBytes, unless_changed_since: unlessChangedSince },
    content: readFiles([file, ...(walBytes > 0 ? [`${file}-wal`] : [])], onProgress),
    onProgress,
  });
  return result.undo;
}

/** Opens a database for reading; a file that is not a database is refused on arrival, with the reason. */
function openReader(file: string): Disposable {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(file, { readOnly: true });
  } catch (error) {
    throw new OperatorError(`cannot import ${file}: ${(error as Error).message}`, { cause: error });
  }
  try {
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  } catch {
    // The other side reports the problem.
  }
  return { [Symbol.dispose]: () => database.close() };
}

async function* readFiles(
  paths: readonly string[],
  onProgress: OnProgress | undefined,
): AsyncGenerator<Uint8Array, void> {
  for (const path of paths) {
    const total = statSync(path).size;
    let done = 0;
    for await (const piece of createReadStream(path, { highWaterMark: pieceBytesMax })) {
      yield piece as Buffer;
      done += (piece as Buffer).length;
      onProgress?.({ step: 'reading', done, total });
    }
  }
}

/** Reads a copy of the database, current or as of a moment. */
export async function readDatabase<T>(
  access: OperatorAccess,
  place: ObjectPlace,
  { at, onProgress }: Told & { readonly at?: Moment | undefined },
  look: (database: DatabaseCopy) => T,
): Promise<T> {
  using folder = new TemporaryFolder();
  await exportDatabase(access, place, { file: folder.file, at, onProgress });
  using database = new DatabaseCopy(folder.file, { mode: 'read' });
  return look(database);
}

/**
 * Changes a copy of the database and replaces the object's by it, unless the object has written meanwhile: then it is
 * retried, a few times. Resolves to the bookmark that undoes it.
 */
export async function changeDatabase<T>(
  access: OperatorAccess,
  place: ObjectPlace,
  { onProgress }: Told,
  change: (database: DatabaseCopy) => T,
): Promise<{ readonly result: T; readonly undo: string }> {
  for (let tries = 1; ; tries++) {
    using folder = new TemporaryFolder();
    const bookmark = await exportDatabase(access, place, { file: folder.file, onProgress });
    let result: T;
    {
      using database = new DatabaseCopy(folder.file, { mode: 'write' });
      result = change(database);
      database.commit();
    }
    try {
      const undo = await importDatabase(access, place, {
        file: folder.file,
        unlessChangedSince: bookmark,
        onProgress,
      });
      return { result, undo };
    } catch (error) {
      const isLate = error instanceof ApiError && error.has(objectCodes.objectChanged.code);
      if (!isLate || tries === changeTries) throw error;
    }
  }
}

class TemporaryFolder implements Disposable {
  readonly #path = mkdtempSync(join(tmpdir(), 'gatehouse-database-'));

  get file(): string {
    return join(this.#path, 'object.sqlite');
  }

  [Symbol.dispose](): void {
    rmSync(this.#path, { recursive: true, force: true });
  }
}

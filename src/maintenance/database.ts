/**
 * An object's database as a file of this process: taken out, put in, or looked at and changed in a temporary copy. SQL
 * of an operator runs here and not in the process that serves the objects: a statement that never ends holds up nobody
 * else.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseCopy, type OnProgress } from '#objects';
import type { Access } from './access.ts';
import type { Channel } from './channel.ts';
import { MaintenanceError } from './error.ts';
import { changeTries, pieceBytesMax } from './limits.ts';
import type { Moment } from './moment.ts';
import type { ObjectPlace } from './request.ts';

interface Told {
  readonly onProgress?: OnProgress | undefined;
}

export interface ExportedFile {
  readonly bytes: number;
  /** Of the state that it has. */
  readonly bookmark: string;
}

/** Writes the database into a file that does not exist yet. */
export async function exportDatabase(
  access: Access,
  place: ObjectPlace,
  { file, at, onProgress }: Told & { readonly file: string; readonly at?: Moment | undefined },
): Promise<ExportedFile> {
  if (existsSync(file)) throw new MaintenanceError(`cannot export, the file exists already: ${file}`);
  const handle = await open(file, 'wx', 0o600).catch((error: Error) => {
    throw new MaintenanceError(`cannot export to ${file}: ${error.message}`, { cause: error });
  });
  let exported: ExportedFile | undefined;
  try {
    for await (const answer of access.ask({ do: 'export', ...place, ...(at === undefined ? {} : { at }) })) {
      if ('file' in answer) exported = { bytes: answer.file.bytes, bookmark: answer.file.bookmark! };
      if (!('piece' in answer)) continue;
      const { offset, bytes } = answer.piece;
      await handle.write(bytes, 0, bytes.length, offset);
      onProgress?.({ step: 'writing', done: offset + bytes.length, total: exported!.bytes });
    }
    await handle.truncate(exported!.bytes);
    await handle.sync();
    return exported!;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Makes a file the database of an object. Resolves to the bookmark that undoes it. */
export async function importDatabase(
  access: Access,
  place: ObjectPlace,
  {
    file,
    unlessChangedSince,
    onProgress,
  }: Told & { readonly file: string; readonly unlessChangedSince?: string },
): Promise<string> {
  if (!existsSync(file)) throw new MaintenanceError(`cannot import, there is no such file: ${file}`);
  if (!statSync(file).isFile()) throw new MaintenanceError(`cannot import, this is not a file: ${file}`);
  // While it is read, nobody else can fold a write-ahead log into it or write to it.
  using _reader = openReader(file);
  const bytes = statSync(file).size;
  const walBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const condition = unlessChangedSince === undefined ? {} : { unlessChangedSince };
  const files = [file, `${file}-wal`];
  let undo: string | undefined;
  for await (const answer of access.ask({ do: 'import', ...place, bytes, walBytes, ...condition })) {
    if ('ready' in answer) await sendFile(answer.channel, files.shift()!, onProgress);
    if ('row' in answer) undo = String(answer.row['undo']);
  }
  return undo!;
}

/** A database that is being read; one that is none is refused when it has arrived, with the reason. */
function openReader(file: string): Disposable {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(file, { readOnly: true });
  } catch (error) {
    throw new MaintenanceError(`cannot import ${file}: ${(error as Error).message}`, { cause: error });
  }
  try {
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  } catch {
    // The other side says what is wrong with it.
  }
  return { [Symbol.dispose]: () => database.close() };
}

async function sendFile(channel: Channel, path: string, onProgress: OnProgress | undefined): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const total = (await handle.stat()).size;
    for (let at = 0; at < total;) {
      const memory = Buffer.allocUnsafeSlow(Math.min(pieceBytesMax, total - at));
      const { bytesRead } = await handle.read(memory, 0, memory.length, at);
      if (bytesRead === 0) throw new MaintenanceError(`${path} became shorter while it was read`);
      await channel.sendPiece(at, memory.subarray(0, bytesRead));
      at += bytesRead;
      onProgress?.({ step: 'reading', done: at, total });
    }
  } finally {
    await handle.close();
  }
}

/** Looks at a copy of the database, of now or of a moment. */
export async function readDatabase<T>(
  access: Access,
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
 * Changes a copy of the database and puts it in the place of the object's, unless the object has written meanwhile:
 * then it is tried again, a few times. Resolves to the bookmark that undoes it.
 */
export async function changeDatabase<T>(
  access: Access,
  place: ObjectPlace,
  { onProgress }: Told,
  change: (database: DatabaseCopy) => T,
): Promise<{ readonly result: T; readonly undo: string }> {
  for (let tries = 1; ; tries++) {
    using folder = new TemporaryFolder();
    const { bookmark } = await exportDatabase(access, place, { file: folder.file, onProgress });
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
      const isLate = error instanceof MaintenanceError && error.code === 'OBJECT_CHANGED';
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

/**
 * Completes a requested restore: the object's database starts over from the state of that moment. Tables that the
 * object has named (`keepTables`) are not restored: their current content is put into the database that replaces them,
 * and both become the object's state with one record.
 */
import { existsSync } from 'node:fs';
import { SqlDatabase, copyTables, pageBytes, removeDatabase } from '#sqlite';
import type { Chronicle, Ledger } from '../ledger/ledger.ts';
import { HiddenTables, keptTable } from '../stores/hidden-tables.ts';
import type { Historian } from './historian.ts';
import type { PageSource } from './images.ts';
import type { Scratch } from '../files/scratch.ts';
import type { OnProgress } from '../progress.ts';
import { DatabaseFile, writeDatabaseFile } from './database-file.ts';
import { isLoss } from './materialise.ts';

interface RestoreParts {
  readonly scratch: Scratch;
  readonly onProgress?: OnProgress | undefined;
}

/** Does nothing unless a restore is pending. What the object keeps over restores is put into the restored state. */
export async function completeRestore(
  historian: Historian,
  ledger: Ledger,
  { scratch, onProgress }: RestoreParts,
): Promise<void> {
  const object = await ledger.settled();
  const { request } = object.entry;
  if (request === undefined) return;
  const path = await historian.readDatabase(object, request.target, (source) =>
    writeCopy(source, { scratch, onProgress }),
  );
  try {
    const alarm = existsSync(path) ? readAlarm(path) : null;
    const start = (source: PageSource): Promise<void> =>
      historian.startOver(ledger, source, { request: request.position, alarm }, onProgress);
    if (await carryKeptTables(historian, object, { scratch, path })) {
      using carried = new DatabaseFile(path);
      await start(carried);
    } else await historian.readDatabase(object, request.target, start);
  } finally {
    removeDatabase(path);
  }
}

/** The alarm is part of what is restored. */
export async function findAlarm(source: PageSource, parts: RestoreParts): Promise<number | null> {
  if (source.pageCount === 0) return null;
  const path = await writeCopy(source, parts);
  try {
    return readAlarm(path);
  } finally {
    removeDatabase(path);
  }
}

/** Returns the path of the copy; an empty database has no file. */
async function writeCopy(source: PageSource, { scratch, onProgress }: RestoreParts): Promise<string> {
  const path = scratch.pathFor('restore', source.pageCount * pageBytes);
  if (source.pageCount > 0) await writeDatabaseFile(source, path, onProgress);
  return path;
}

/** The alarm in a database file of an object. */
export function readAlarm(path: string): number | null {
  using database = new SqlDatabase(path, { beforeWrite: () => {} });
  return new HiddenTables(database).alarm();
}

/**
 * Puts the kept tables of an object's newest state into the database file at `path`, which need not exist; resolves to
 * whether there are any. An object whose newest state is lost has none: a restore is how such an object is repaired.
 */
export async function carryKeptTables(
  historian: Historian,
  object: Chronicle,
  { scratch, path }: { readonly scratch: Scratch; readonly path: string },
): Promise<boolean> {
  let current: string | undefined;
  let hasFile = false;
  try {
    current = await historian.writeDatabase(object, object.entry.head, (bytes) => {
      hasFile = bytes > 0;
      return (current = scratch.pathFor('kept', bytes));
    });
    if (!hasFile) return false;
    return await copyTables({ from: current, to: path, listedIn: keptTable.name });
  } catch (error) {
    if (!isLoss(error)) throw error;
    return false;
  } finally {
    if (current !== undefined) removeDatabase(current);
  }
}

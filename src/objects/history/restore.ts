/** Completes a restore that was asked for: the object's database starts over from the state of that moment. */
import { existsSync } from 'node:fs';
import { SqlDatabase, pageBytes, removeDatabase } from '#sqlite';
import type { Ledger } from '../ledger/ledger.ts';
import { HiddenTables } from '../stores/hidden-tables.ts';
import type { Historian } from './historian.ts';
import type { PageSource } from './images.ts';
import type { Scratch } from '../files/scratch.ts';
import type { OnProgress } from '../progress.ts';
import { DatabaseFile, writeDatabaseFile } from './database-file.ts';
import { carryKeptTables } from './kept-tables.ts';

interface RestoreParts {
  readonly scratch: Scratch;
  readonly onProgress?: OnProgress | undefined;
}

/** Does nothing unless a restore is due. What the object keeps over restores is put into the state of that moment. */
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

/** Answers the path of the copy; an empty database has no file. */
async function writeCopy(source: PageSource, { scratch, onProgress }: RestoreParts): Promise<string> {
  const path = scratch.pathFor('restore', source.pageCount * pageBytes);
  if (source.pageCount > 0) await writeDatabaseFile(source, path, onProgress);
  return path;
}

/** The alarm in a database file of ours. */
export function readAlarm(path: string): number | null {
  using database = new SqlDatabase(path, { beforeWrite: () => {} });
  return new HiddenTables(database).alarm();
}

/** Completes a restore that was asked for: the object's database starts over from the state of that moment. */
import { SqlDatabase, pageBytes, removeDatabase } from '#sqlite';
import type { Ledger } from '../ledger/ledger.ts';
import { HiddenTables } from '../stores/hidden-tables.ts';
import type { Historian } from './historian.ts';
import type { PageSource } from './images.ts';
import type { Scratch } from '../files/scratch.ts';
import type { OnProgress } from '../progress.ts';
import { writeDatabaseFile } from './database-file.ts';

/** Does nothing unless a restore is due. */
export async function completeRestore(
  historian: Historian,
  ledger: Ledger,
  { scratch, onProgress }: { readonly scratch: Scratch; readonly onProgress?: OnProgress | undefined },
): Promise<void> {
  const object = await ledger.settled();
  const { request } = object.entry;
  if (request === undefined) return;
  await historian.readDatabase(object, request.target, async (source) => {
    const alarm = await findAlarm(source, { scratch, onProgress });
    await historian.startOver(ledger, source, { request: request.position, alarm }, onProgress);
  });
}

/** The alarm is part of what is restored. */
export async function findAlarm(
  source: PageSource,
  { scratch, onProgress }: { readonly scratch: Scratch; readonly onProgress?: OnProgress | undefined },
): Promise<number | null> {
  if (source.pageCount === 0) return null;
  const path = scratch.pathFor('alarm', source.pageCount * pageBytes);
  await writeDatabaseFile(source, path, onProgress);
  try {
    return readAlarm(path);
  } finally {
    removeDatabase(path);
  }
}

/** The alarm in a database file of ours. */
export function readAlarm(path: string): number | null {
  using database = new SqlDatabase(path, { beforeWrite: () => {} });
  return new HiddenTables(database).alarm();
}

/** Completes a restore that was asked for: the object's database starts over from the state of that moment. */
import { SqlDatabase, pageBytes, removeDatabase } from '#sqlite';
import type { Ledger } from '../ledger/ledger.ts';
import { HiddenTables } from '../stores/hidden-tables.ts';
import type { Historian } from './historian.ts';
import type { PageSource } from './images.ts';
import type { Scratch } from '../files/scratch.ts';
import { writeDatabaseFile } from './materialise.ts';

/** Does nothing unless a restore is due. */
export async function completeRestore(historian: Historian, ledger: Ledger, scratch: Scratch): Promise<void> {
  const object = await ledger.settled();
  const { request } = object.entry;
  if (request === undefined) return;
  const source = historian.databaseAt(object, request.target);
  await historian.startOver(ledger, source, { request: request.position, alarm: alarmIn(source, scratch) });
}

/** The alarm is part of what is restored. */
export function alarmIn(source: PageSource, scratch: Scratch): number | null {
  if (source.pageCount === 0) return null;
  const path = scratch.pathFor('alarm', source.pageCount * pageBytes);
  writeDatabaseFile(source, path);
  try {
    using database = new SqlDatabase(path, { beforeWrite: () => {} });
    return new HiddenTables(database).alarm();
  } finally {
    removeDatabase(path);
  }
}

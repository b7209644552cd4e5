import { rmSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { startOwn } from '#work';

/** Opens an SQLite database in a file, which user code in the same process may not do. */
export function openFile(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  return startOwn(() => new DatabaseSync(path, options));
}

/** Removes a database file and the files that SQLite may have left beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-journal']) rmSync(path + suffix, { force: true });
}

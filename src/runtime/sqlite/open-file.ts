import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { startOwn } from '#base';

/** A database of SQLite in a file: code of users may not open any, and does so in the same process. */
export function openFile(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  return startOwn(() => new DatabaseSync(path, options));
}

import { rmSync } from 'node:fs';

/** Removes a database file and the files that SQLite may have left beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-journal']) rmSync(path + suffix, { force: true });
}

/** The mark of a directory that a restore has not finished: every program looks for it, whatever else it loads. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const unfinishedRestore = 'restore.unfinished';

/** The directory must not be used before the restore was repeated, which empties it first. */
export function isHalfRestored(directory: string): boolean {
  return existsSync(join(directory, unfinishedRestore));
}

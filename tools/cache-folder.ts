/**
 * Where tests and measurements keep programs that they have unpacked or downloaded: below `node_modules`. In the folder for
 * temporary files, another user could plant a program, or have one there that this user may not run.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../node_modules/.cache');

/** The path of a file or folder in the cache; it need not be there. */
export function findInCache(name: string): string {
  mkdirSync(root, { recursive: true });
  return join(root, name);
}

/**
 * Where tests and measurements store programs that they have unpacked or downloaded: below `node_modules`. In the
 * temporary folder, another user could plant a program, or own one that this user may not run.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../node_modules/.cache');

/** The path of a file or folder in the cache; it need not exist. */
export function findInCache(name: string): string {
  mkdirSync(root, { recursive: true });
  return join(root, name);
}

/** The disk space of a directory. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Counts blocks, not lengths: unwritten ranges of a file occupy none. Files that vanish meanwhile are ignored. */
export async function measureDirectory(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) bytes += await measureDirectory(path);
    else
      bytes += await lstat(path).then(
        ({ blocks }) => blocks * 512,
        () => 0,
      );
  }
  return bytes;
}

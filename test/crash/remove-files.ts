import { join } from 'node:path';
import type { FileSystem } from '#files';

/**
 * Removes the files of a folder on a simulated disk. The folders stay, and are ignored. The removal is durable when
 * this returns: on a real disk it is as soon as the removal of the folder's name is.
 */
export function removeFiles(fs: FileSystem, folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name);
    try {
      fs.unlinkSync(path);
    } catch {
      removeFiles(fs, path);
    }
  }
  fs.fsyncDirectorySync(folder);
}

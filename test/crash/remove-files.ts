import { join } from 'node:path';
import type { FileSystem } from '#base';

/**
 * Removes the files of a folder on a simulated disk. The folders stay, and mean nothing. That the files are gone is on disk
 * when this returns: on a real disk they are as soon as the name of the folder is.
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

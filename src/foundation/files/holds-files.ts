/** Whether a path contains anything that could be lost. */
import { join } from 'node:path';
import { type FileSystem, realFileSystem } from './file-system.ts';

/** True for a file, and for a folder with one somewhere below; an interrupted removal leaves only folders. */
export function holdsFiles(path: string, fs: FileSystem = realFileSystem): boolean {
  try {
    return fs.readdirSync(path).some((name) => holdsFiles(join(path, name), fs));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (code === 'ENOTDIR') return true;
    throw error;
  }
}

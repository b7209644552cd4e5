/** Whether there is anything at a path that could be lost. */
import { join } from 'node:path';
import { type FileSystem, realFileSystem } from './file-system.ts';

/** A file does, and a folder with one somewhere below; folders alone are what an interrupted removal has left. */
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

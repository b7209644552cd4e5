/** Whether the folders that a layout names are there: an empty log in the place of a lost one would hide the loss. */
import { join } from 'node:path';
import type { FileSystem } from '#base';
import { type LayoutFile, listFolders } from './layout.ts';

/** Throws if a folder of a host is missing that was there before. */
export function checkMade(fs: FileSystem, directory: string, { layout, isMade }: LayoutFile): void {
  if (layout === undefined || !isMade) return;
  const missing = listFolders(layout).find((folder) => !hasLog(fs, join(directory, folder)));
  if (missing === undefined) return;
  throw Object.assign(
    new Error(
      `cannot open ${directory}, ${missing} is missing or has no log, and a part of the objects with it: put it back from a backup`,
    ),
    { code: 'HOST_FOLDER_MISSING' },
  );
}

export function hasLog(fs: FileSystem, folder: string): boolean {
  try {
    return fs.readdirSync(join(folder, 'journal')).some((name) => /^[0-9a-f]{16}\.log$/.test(name));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

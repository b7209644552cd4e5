/** A directory whose objects live in several processes has this file, and a directory for each of them. */
import { type FileSystem, holdsFiles, realFileSystem } from '#files';
import { JournalDamageError, noPosition } from '#journal';
import { join } from 'node:path';

export const hostsFile = 'hosts.json';

/** A file whose writing was interrupted (`.new`) decides nothing. */
const decidingNames = new Set([hostsFile, `${hostsFile}.copy`]);

const hostFolder = /^host-\d+$/;

/** Whether any file in the directory indicates hosts: `hosts.json` itself may be lost. */
export function isHostedDirectory(directory: string, fs: FileSystem = realFileSystem): boolean {
  return listNames(directory, fs).some(
    (name) => decidingNames.has(name) || (hostFolder.test(name) && holdsFiles(join(directory, name), fs)),
  );
}

/** A runtime in one process would start an empty journal beside those of the hosts. */
export function refuseHostedDirectory(directory: string, fs?: FileSystem): void {
  if (!isHostedDirectory(directory, fs)) return;
  throw Object.assign(
    new Error(
      `cannot open ${directory} in one process: its objects are in several hosts; open it with createHosts(), or call arrangeForOneProcess() first`,
    ),
    { code: 'HOSTS_MISMATCH' },
  );
}

/** Objects that were in a directory before it joined a cluster would no longer be found. */
export function refuseOwnObjects(directory: string): void {
  if (!holdsFiles(`${directory}/journal`)) return;
  throw Object.assign(
    new Error(
      `cannot join a cluster with ${directory}: it has objects of its own; choose an empty directory, or move them with gatehouse cluster import`,
    ),
    { code: 'DIRECTORY_HAS_OBJECTS' },
  );
}

function listNames(directory: string, fs: FileSystem): readonly string[] {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Tables are created after the log: if they exist and the log does not, a new log would hide that it was lost. */
export function refuseLostLog(fs: FileSystem, directory: string): void {
  const names = fs.readdirSync(directory);
  const list = (part: string): readonly string[] =>
    names.includes(part) ? fs.readdirSync(`${directory}/${part}`) : [];
  if (!list('tables').includes('manifest') || list('journal').some((name) => name.endsWith('.log'))) return;
  throw new JournalDamageError('all files of the log are missing', {
    file: `${directory}/journal`,
    offset: 0,
    position: noPosition,
  });
}

/**
 * A data directory with hosts:
 *
 * ```
 * <directory>/lock         held by the process that starts the hosts
 * <directory>/hosts.json   {"hosts": 2, "first": 3}: says which of the folders count
 * <directory>/host-3/      a directory as a runtime in one process has it, with a journal of its own
 * <directory>/host-4/
 * ```
 *
 * Each time that the objects are moved to another number of hosts, they get folders with numbers that were not used. A
 * folder that does not count was not finished, or is not needed any more. Without `hosts.json`, the directory is that of a
 * runtime in one process.
 */
import { availableParallelism } from 'node:os';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileSystem } from '#base';
import { hostsFile } from '#objects';

/** Where the objects of a directory are. */
export interface Layout {
  readonly hosts: number;
  /** The number of the folder of the first host. */
  readonly first: number;
}

const folderName = /^host-(\d+)$/;

/** Below the directory. */
export function folderOf({ first }: Layout, host: number): string {
  return `host-${first + host}`;
}

export function listFolders(layout: Layout): string[] {
  return Array.from({ length: layout.hosts }, (_, host) => folderOf(layout, host));
}

/** The number of a folder; undefined if it is none of a host. */
export function numberOf(folder: string): number | undefined {
  const match = folderName.exec(folder);
  return match === null ? undefined : Number(match[1]);
}

export function encodeLayout(layout: Layout): Uint8Array {
  return Buffer.from(`${JSON.stringify(layout)}\n`);
}

function decodeLayout(path: string, text: string): Layout {
  const { hosts, first = 0 } = parse(text);
  if (Number.isInteger(hosts) && hosts! >= 1 && Number.isInteger(first) && first >= 0)
    return { hosts: hosts!, first };
  throw Object.assign(
    new Error(
      `cannot open the directory, ${path} does not say which folders have its objects: put the file back from a backup, such as {"hosts": 2, "first": 0} for host-0 and host-1`,
    ),
    { code: 'HOSTS_FILE_DAMAGED' },
  );
}

function parse(text: string): { readonly hosts?: number; readonly first?: number } {
  try {
    return (JSON.parse(text) ?? {}) as { hosts?: number; first?: number };
  } catch {
    return {};
  }
}

/** Undefined if the directory is new, or of one process. */
export function readLayout(directory: string): Layout | undefined {
  const file = join(directory, hostsFile);
  return existsSync(file) ? decodeLayout(file, readFileSync(file, 'utf8')) : undefined;
}

/** Of a new directory on a machine with several cores. */
const hostsDefault = 2;

/**
 * How many processes the objects of a directory get by default; 1 for one process. A directory keeps the number that
 * it has: to move what it holds takes time and room, and its owner decides on that. A new one gets two, if there are two
 * cores: then an object that holds its process, or ends it, leaves about half of the others alone.
 */
export function chooseHostCount(directory: string): number {
  const present = readLayout(directory);
  if (present !== undefined) return present.hosts;
  if (existsSync(join(directory, 'journal'))) return 1;
  return Math.min(hostsDefault, availableParallelism());
}

/** The same on any disk. */
export function findLayout(fs: FileSystem, directory: string): Layout | undefined {
  if (!fs.readdirSync(directory).includes(hostsFile)) return undefined;
  const file = fs.openSync(join(directory, hostsFile), 'read');
  try {
    const bytes = Buffer.alloc(file.sizeSync());
    file.readSync(bytes, 0);
    return decodeLayout(file.path, bytes.toString());
  } finally {
    file.closeSync();
  }
}

/** From the moment that this returns, the layout counts, whatever happens; undefined: that of one process. */
export async function writeLayout(
  fs: FileSystem,
  directory: string,
  layout: Layout | undefined,
): Promise<void> {
  const path = join(directory, hostsFile);
  if (layout === undefined) {
    fs.unlinkSync(path);
    return fs.fsyncDirectorySync(directory);
  }
  const unfinished = `${path}.new`;
  if (fs.readdirSync(directory).includes(`${hostsFile}.new`)) fs.unlinkSync(unfinished);
  const file = await fs.open(unfinished, 'create');
  try {
    await file.write(encodeLayout(layout), 0);
    await file.fdatasync();
  } finally {
    file.closeSync();
  }
  fs.renameSync(unfinished, path);
  fs.fsyncDirectorySync(directory);
}

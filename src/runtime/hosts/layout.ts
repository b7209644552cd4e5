/**
 * A data directory with hosts:
 *
 * ```
 * <directory>/lock         held by the process that starts the hosts
 * <directory>/hosts.json   {"hosts": 2, "first": 3, …}: says which of the folders count, and which do not
 * <directory>/host-3/      a directory as a runtime in one process has it, with a journal of its own
 * <directory>/host-4/
 * ```
 *
 * Each time that the objects are moved to another number of hosts, they get folders with numbers that were not used. The
 * file names those that are being filled (`unfinished`) and those that were moved from (`former`): only what it names so may
 * be removed. It has a checksum and a copy (`hosts.json.copy`). Without either, a directory that has no folders of hosts is
 * that of a runtime in one process; one that has some is not opened.
 */
import { availableParallelism } from 'node:os';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FileSystem,
  holdsFiles,
  readDecidingFile,
  realFileSystem,
  removeDecidingFile,
  writeDecidingFile,
} from '#base';
import { hostsFile } from '#objects';

/** Where the objects of a directory are. */
export interface Layout {
  readonly hosts: number;
  /** The number of the folder of the first host. */
  readonly first: number;
}

/** What the file says. */
export interface LayoutFile {
  /** Undefined for that of one process. */
  readonly layout: Layout | undefined;
  /** Written by a move that has not ended. */
  readonly unfinished: readonly string[];
  /** Moved from: the folders of the layout have everything. */
  readonly former: readonly string[];
  /** Every host has a folder with a log. Older versions made them later. */
  readonly isMade: boolean;
  /** What is wrong with the file or its copy, where one of them says enough. */
  readonly flaw: string | undefined;
}

/** What a runtime in one process keeps, and a move takes along. */
export const plainParts = ['journal', 'tables', 'images'] as const;

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

/** Undefined if the directory is new, or of one process. */
export function readLayout(directory: string): Layout | undefined {
  return existsSync(directory) ? findLayout(realFileSystem, directory)?.layout : undefined;
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

/** Undefined if there is no such file. Throws if the directory has folders of hosts, and it is not known which count. */
export function findLayout(fs: FileSystem, directory: string): LayoutFile | undefined {
  const path = join(directory, hostsFile);
  const found = readDecidingFile(fs, path, parse);
  if (found.state === 'whole') return { ...found.value, flaw: found.flaw };
  const folders = fs
    .readdirSync(directory)
    .filter((name) => numberOf(name) !== undefined && holdsFiles(join(directory, name), fs));
  if (found.state === 'absent' && folders.length === 0) return undefined;
  throw createUnknownError(
    directory,
    found.state === 'absent' ? `${path} is missing` : found.reason,
    folders,
  );
}

/** From the moment that this returns, the layout counts, whatever happens; undefined: that of one process. */
export function writeLayout(
  fs: FileSystem,
  directory: string,
  { layout, unfinished, former, isMade }: Omit<LayoutFile, 'flaw'>,
): void {
  const path = join(directory, hostsFile);
  if (layout === undefined && unfinished.length === 0 && former.length === 0)
    return removeDecidingFile(fs, path);
  const { hosts, first } = layout ?? { hosts: 0, first: 0 };
  writeDecidingFile(fs, path, { hosts, first, unfinished, former, made: isMade });
}

/** The content of the file in a copy of the directory. */
export function describeLayout({ hosts, first }: Layout): object {
  return { hosts, first, unfinished: [], former: [], made: true };
}

/** What is not known may be all there is. */
export function createUnknownError(directory: string, reason: string, folders: readonly string[]): Error {
  const there = folders.length === 0 ? 'no folders of object hosts' : folders.toSorted().join(', ');
  return Object.assign(
    new Error(
      `cannot open ${directory}, it is not known which folders have its objects (there: ${there}): ${reason}. Put back ${hostsFile} from a backup, or write it: {"hosts": 2, "first": 0} for host-0 and host-1; move folders elsewhere that are not to count`,
    ),
    { code: 'HOSTS_FILE_DAMAGED' },
  );
}

const keys = new Set(['hosts', 'first', 'unfinished', 'former', 'made']);

function parse(value: object): Omit<LayoutFile, 'flaw'> | undefined {
  const { hosts, first = 0, unfinished = [], former = [], made = false } = value as Record<string, unknown>;
  if (!isCount(hosts) || !isCount(first) || !Object.keys(value).every((key) => keys.has(key)))
    return undefined;
  if (!areNames(unfinished) || !areNames(former) || typeof made !== 'boolean') return undefined;
  // Only a file that names what does not count stands for one process.
  if (hosts === 0 && unfinished.length + former.length === 0) return undefined;
  return { layout: hosts === 0 ? undefined : { hosts, first }, unfinished, former, isMade: made };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function areNames(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every(
      (name) =>
        typeof name === 'string' &&
        (numberOf(name) !== undefined || (plainParts as readonly string[]).includes(name)),
    )
  );
}

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

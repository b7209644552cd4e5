/**
 * A data directory with hosts:
 *
 * ```
 * <directory>/lock         held by the process that starts the hosts
 * <directory>/hosts.json   {"hosts": 2, "first": 3, …}: lists the current folders, and the obsolete ones
 * <directory>/host-3/      a directory like that of a runtime in one process, with its own journal
 * <directory>/host-4/
 * ```
 *
 * Each time the objects are moved to another number of hosts, they get folders with unused numbers. The file lists the
 * folders that are being filled (`unfinished`) and those that were moved from (`former`): only these may be removed. It
 * has a checksum and a copy (`hosts.json.copy`). Without either file, a directory without host folders belongs to a
 * runtime in one process; one that has some is not opened.
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
} from '#files';
import { hostsFile } from '#objects';

/** The location of the objects of a directory. */
export interface Layout {
  readonly hosts: number;
  /** The number of the folder of the first host. */
  readonly first: number;
}

/** The content of the file. */
export interface LayoutFile {
  /** Undefined for that of one process. */
  readonly layout: Layout | undefined;
  /** Written by a move that has not finished. */
  readonly unfinished: readonly string[];
  /** Sources of a move: the folders of the layout contain everything. */
  readonly former: readonly string[];
  /** Every host has a folder with a log. Older versions created them later. */
  readonly isMade: boolean;
  /** The problem with the file or its copy, if the other is intact. */
  readonly flaw: string | undefined;
}

/** The files of a runtime in one process, which a move includes. */
export const plainParts = ['journal', 'tables', 'images'] as const;

const folderName = /^host-(\d+)$/;

/** Relative to the directory. */
export function folderOf({ first }: Layout, host: number): string {
  return `host-${first + host}`;
}

export function listFolders(layout: Layout): string[] {
  return Array.from({ length: layout.hosts }, (_, host) => folderOf(layout, host));
}

/** The number of a host's folder; undefined for any other name. */
export function numberOf(folder: string): number | undefined {
  const match = folderName.exec(folder);
  return match === null ? undefined : Number(match[1]);
}

/** Undefined if the directory is new, or of one process. */
export function readLayout(directory: string): Layout | undefined {
  return existsSync(directory) ? findLayout(realFileSystem, directory)?.layout : undefined;
}

/** For a new directory on a machine with several cores. */
const hostsDefault = 2;

/**
 * How many processes the objects of a directory get by default; 1 for one process. A directory keeps its number: moving
 * its objects takes time and space, so its owner decides on that. A new one gets two, if there are two cores: then an
 * object that blocks or crashes its process affects only about half of the others.
 */
export function chooseHostCount(directory: string): number {
  const present = readLayout(directory);
  if (present !== undefined) return present.hosts;
  if (existsSync(join(directory, 'journal'))) return 1;
  return Math.min(hostsDefault, availableParallelism());
}

/** Undefined if the file does not exist. Throws if there are host folders, and it is unknown which are current. */
export function findLayout(fs: FileSystem, directory: string): LayoutFile | undefined {
  const path = join(directory, hostsFile);
  const found = readDecidingFile(fs, path, { keys, parse });
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

/** Once this returns, the layout is in effect, whatever happens; undefined means that of one process. */
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

/** A folder that is not listed may contain all the data. */
export function createUnknownError(directory: string, reason: string, folders: readonly string[]): Error {
  const there = folders.length === 0 ? 'no folders of object hosts' : folders.toSorted().join(', ');
  return Object.assign(
    new Error(
      `cannot open ${directory}, because the folders of its objects are unknown (found: ${there}): ${reason}. Put back ${hostsFile} from a backup, or write it: {"hosts": 2, "first": 0} for host-0 and host-1; move folders elsewhere that are not to count`,
    ),
    { code: 'HOSTS_FILE_DAMAGED' },
  );
}

const keys = ['hosts', 'first', 'unfinished', 'former', 'made'];

function parse(value: object): Omit<LayoutFile, 'flaw'> | undefined {
  const { hosts, first = 0, unfinished = [], former = [], made = false } = value as Record<string, unknown>;
  if (!isCount(hosts) || !isCount(first) || !Object.keys(value).every((key) => keys.includes(key)))
    return undefined;
  if (!areNames(unfinished) || !areNames(former) || typeof made !== 'boolean') return undefined;
  // Only a file that lists obsolete folders represents a directory of one process.
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

/** Throws if the folder of a host is missing that existed before. */
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

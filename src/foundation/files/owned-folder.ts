/**
 * Folders in the temporary directory that belong to a process. Each contains a file that names its owner. A process
 * that was killed leaves its folders behind: the next process that creates such a folder removes them, and never one of
 * a living process. If two processes want an abandoned folder, one gets it: both rename that file, which only one can.
 */
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '#base';
import { createPrivateFile, readIfThere } from './private-file.ts';

const ownerFile = 'owner';

interface OwnedFolderOptions {
  /** Whether a folder is in use although its process has ended; by default it is not. */
  readonly isUsed?: (folder: string) => boolean;
}

/** Also removes folders with the same prefix that killed processes have left. */
export function createOwnedFolder(prefix: string, { isUsed = () => false }: OwnedFolderOptions = {}): string {
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (name.startsWith(prefix) && isLeft(folder) && !isUsed(folder) && take(folder))
      rmSync(folder, { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(tmpdir(), prefix));
  createPrivateFile(join(folder, ownerFile), describeOwner());
  return folder;
}

/** Makes an abandoned folder that of this process; false if it does not exist, or another process was first. */
export function takeOwnedFolder(folder: string): boolean {
  if (!isPrivate(folder) || !take(folder)) return false;
  createPrivateFile(join(folder, ownerFile), describeOwner());
  return true;
}

function isLeft(folder: string): boolean {
  if (!isPrivate(folder)) return false;
  const owner = readOwner(folder);
  return owner !== undefined && !isOwnerAlive(owner);
}

/** Different for each process; undefined if the folder has no owner now. */
export function readOwner(folder: string): string | undefined {
  return readIfThere(join(folder, ownerFile));
}

export function isOwnerAlive(owner: string): boolean {
  const [pid, space] = owner.split('\n');
  // Process ids in another container are different ones.
  return space !== readSpace() || isAlive(Number(pid));
}

function take(folder: string): boolean {
  const taken = join(folder, `${ownerFile}-before-${process.pid}`);
  try {
    renameSync(join(folder, ownerFile), taken);
    rmSync(taken, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Whether no other user can have put anything into it. */
function isPrivate(folder: string): boolean {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  return status?.isDirectory() === true && status.uid === process.getuid?.() && (status.mode & 0o077) === 0;
}

function describeOwner(): string {
  return `${process.pid}\n${readSpace()}\n`;
}

/** The pid namespace of this process, where the system reports it. */
function readSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/**
 * Folders in the temporary directory that belong to a process. Each has a file that says whose it is. A process that was
 * killed leaves its folders behind: the next one that makes such a folder removes them, and never one of a process that
 * lives. Of two processes that want a folder that was left, one gets it: both rename that file, which only one can.
 */
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivateFile, readIfThere } from './private-file.ts';

const ownerFile = 'owner';

interface OwnedFolderOptions {
  /** Whether somebody uses a folder although its process has ended; nobody by default. */
  readonly isUsed?: (folder: string) => boolean;
}

/** Also removes those with the same prefix that killed processes have left. */
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

/** Makes a folder that was left that of this process; false if it is not there, or another process was first. */
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
  // The processes of another container have numbers of their own.
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

/** Whether nobody else can have put anything into it. */
function isPrivate(folder: string): boolean {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  return status?.isDirectory() === true && status.uid === process.getuid?.() && (status.mode & 0o077) === 0;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !hasEnded(pid);
  } catch (error) {
    // One of another user lives.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** One that has ended keeps its number until its parent has noticed. */
function hasEnded(pid: number): boolean {
  const status = readIfThere(`/proc/${pid}/stat`);
  // The name before it can contain anything.
  return status !== undefined && /^\) [ZX]/.test(status.slice(status.lastIndexOf(')')));
}

function describeOwner(): string {
  return `${process.pid}\n${readSpace()}\n`;
}

/** In which space of process numbers this one is, where the system tells. */
function readSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

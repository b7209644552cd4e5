/**
 * Programs that refuse to run as root run as another user when tests run as root. That user reaches neither a clone in a
 * private folder (the home of root often is one) nor files that were installed with a strict umask, so root copies what it
 * needs to the folder for temporary files, once for all runs. A copy counts only if root owns it and it is complete: others
 * can write to that folder too, and old files are removed from it.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const isRoot = process.getuid?.() === 0;

const othersRead = 0o004;
const othersWrite = 0o002;
const othersEnter = 0o001;
const groupWrite = 0o020;
/** Only the owner of a file removes it from a folder with this bit. */
const sticky = 0o1000;

/** The user in the options of `spawn`: `nobody` for root, otherwise the same. */
export const unprivileged: { readonly uid?: number; readonly gid?: number } = isRoot
  ? { uid: 65_534, gid: 65_534 }
  : {};

/** Gives a file to the user that programs run as. */
export function giveAway(path: string): void {
  if (unprivileged.uid === undefined) return;
  try {
    chownSync(path, unprivileged.uid, unprivileged.gid!);
  } catch (error) {
    throw new Error(
      `Tests run PostgreSQL as user ${unprivileged.uid}, because it refuses to run as root, and this container has no such ` +
        'user: run the tests as an ordinary user, or map more than one user into the container.',
      { cause: error },
    );
  }
}

/** A temporary directory of the user that programs run as. */
export function createUnprivilegedDirectory(prefix: string): string {
  const directory = mkdtempSync(join(findTemporaryFolder(), prefix));
  giveAway(directory);
  return directory;
}

/** The folder itself if the user that programs run as can read it, otherwise a copy with the name and what identifies its contents. */
export function makeReadable(folder: string, name: string): string {
  if (!isRoot || canOthersRead(folder)) return folder;
  const contents = describeContents(folder);
  const copy = join(findTemporaryFolder(), `gatehouse-${name}-${contents.slice(0, 16)}`);
  if (isComplete(copy, contents)) return copy;
  const started = mkdtempSync(`${copy}-`);
  copyReadable(folder, started);
  try {
    replace(copy, started);
  } catch (error) {
    rmSync(started, { recursive: true, force: true });
    // Another process made the copy at the same time.
    if (!isComplete(copy, contents)) throw error;
  }
  return copy;
}

function findTemporaryFolder(): string {
  if (!isRoot) return tmpdir();
  const folders = [...new Set([tmpdir(), '/tmp', '/var/tmp'])];
  const found = folders.find((folder) => existsSync(folder) && canOthersEnter(folder) && isSafe(folder));
  if (found !== undefined) return found;
  throw new Error(
    `Tests run PostgreSQL as user ${unprivileged.uid}, because it refuses to run as root, and that user can enter none of ` +
      `${folders.join(', ')}. Set TMPDIR to a folder with mode 1777, or run the tests as an ordinary user.`,
  );
}

function isSafe(folder: string): boolean {
  const { mode } = statSync(folder);
  return (mode & othersWrite) === 0 || (mode & sticky) !== 0;
}

/** Whether the copy exists. A copy of another owner is an error. */
function isComplete(copy: string, contents: string): boolean {
  const found = lstatSync(copy, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & (groupWrite | othersWrite)) !== 0)
    throw new Error(
      `${copy} can be changed by other users, so that tests do not run programs from it: remove it.`,
    );
  return canOthersRead(copy) && describeContents(copy) === contents;
}

function replace(copy: string, started: string): void {
  if (existsSync(copy)) {
    const old = mkdtempSync(`${copy}-`);
    renameSync(copy, join(old, 'old'));
    rmSync(old, { recursive: true, force: true });
  }
  renameSync(started, copy);
}

function canOthersRead(folder: string): boolean {
  const path = realpathSync(folder);
  return canOthersEnter(path) && list(path).every((each) => hasMode(join(path, each)));
}

function canOthersEnter(folder: string): boolean {
  const path = realpathSync(folder);
  const parent = dirname(path);
  return (statSync(path).mode & othersEnter) !== 0 && (parent === path || canOthersEnter(parent));
}

function hasMode(path: string): boolean {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return true;
  const wanted = othersRead | (found.isDirectory() ? othersEnter : 0);
  return (found.mode & wanted) === wanted;
}

function describeContents(folder: string): string {
  const hash = createHash('sha256');
  for (const path of list(folder)) {
    const found = lstatSync(join(folder, path));
    hash.update(`${path}\0${found.isFile() ? `${found.size} ${isExecutable(found.mode)}` : ''}\0`);
  }
  return hash.digest('hex');
}

function copyReadable(from: string, to: string): void {
  chmodSync(to, 0o755);
  for (const path of list(from)) {
    const [source, target] = [join(from, path), join(to, path)];
    const found = lstatSync(source);
    if (found.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      if (found.isDirectory()) mkdirSync(target);
      else copyFileSync(source, target);
      chmodSync(target, found.isDirectory() || isExecutable(found.mode) ? 0o755 : 0o644);
    }
  }
}

/** Folders come before what they hold. */
function list(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}

/**
 * Files that only their owner can read. A reader finds a complete file or none, whenever the process or the machine may end;
 * a file that cannot be written leaves nothing behind, and the error names it.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type FileSystem, realFileSystem } from './file-system.ts';
import { fsyncSync } from './syncing/sync.ts';

const ownerOnly = 0o600;

/** The cause is the error of the system. */
class FileWriteError extends Error {
  override readonly name = 'FileWriteError';
  readonly code = 'FILE_WRITE_FAILED';
  readonly path: string;

  constructor(file: string, cause: unknown) {
    super(`cannot write ${file}: ${(cause as Error).message}`, { cause });
    this.path = file;
  }
}

/** Replaces the file; a file that already has this content is not written, so that a full disk does not prevent a start. */
export function writePrivateFile(file: string, content: string | Uint8Array): void {
  if (hasContent(file, content)) return;
  publishFile(file, content, (temporary) => renameSync(temporary, file));
}

/** Returns false if a file of that name already exists, and leaves it as it is. */
export function createPrivateFile(file: string, content: string | Uint8Array): boolean {
  return publishFile(file, content, (temporary) => {
    try {
      linkSync(temporary, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    }
  });
}

/**
 * Replaces a file by what `write` writes; resolves when it and its name are on disk. The error of `write` is passed on as
 * it is.
 */
export async function replaceFile<T>(file: string, write: (handle: FileHandle) => Promise<T>): Promise<T> {
  const temporary = nameTemporary(file);
  try {
    const handle = await open(temporary, 'wx', ownerOnly).catch((error: unknown) => {
      throw new FileWriteError(file, error);
    });
    await using opened = handle;
    const result = await write(opened);
    await opened.sync();
    await rename(temporary, file);
    syncNames(dirname(resolve(file)), realFileSystem);
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Undefined if the file does not exist. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function hasContent(file: string, content: string | Uint8Array): boolean {
  try {
    return readFileSync(file).equals(Buffer.from(content));
  } catch {
    // Whatever the error, the file does not have this content.
    return false;
  }
}

/** It cannot be guessed, so that no other user can place a file there first in a shared directory. */
function nameTemporary(file: string): string {
  return `${file}.${randomBytes(8).toString('hex')}.tmp`;
}

function publishFile<T>(file: string, content: string | Uint8Array, publish: (temporary: string) => T): T {
  const temporary = nameTemporary(file);
  try {
    const handle = openSync(temporary, 'wx', ownerOnly);
    try {
      writeFileSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    const published = publish(temporary);
    syncNames(dirname(resolve(file)), realFileSystem);
    return published;
  } catch (error) {
    throw new FileWriteError(file, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Creates a directory, with its parents if necessary; an existing one is not changed. Its name is durable when this
 * returns, even if a process created it that was killed: data written into it is not lost with a name that a power cut
 * undoes. One level at a time: Node's recursive mkdir never returns where the system refuses with ENOENT, as /proc
 * does.
 */
export function makeDirectory(path: string, fs: FileSystem = realFileSystem): void {
  const directory = resolve(path);
  const parent = dirname(directory);
  try {
    fs.mkdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === directory) throw error;
    makeDirectory(parent, fs);
    fs.mkdirSync(directory);
  }
  syncNames(parent, fs);
}

function syncNames(directory: string, fs: FileSystem): void {
  try {
    fs.fsyncDirectorySync(directory);
  } catch (error) {
    // A folder that may be entered but not listed cannot be opened, nor can one outside of the folders that this
    // process is confined to: its owner is responsible for its names.
    if (!['EACCES', 'ERR_ACCESS_DENIED'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Allows one runtime per directory. The lock is the kernel's, held through SQLite on a file of its own, so it is
 * released when the process ends for any reason, and a second runtime in the same process is also refused.
 */
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openFile } from './database-files.ts';

export class DirectoryLockedError extends Error {
  override readonly name = 'DirectoryLockedError';
  readonly code = 'DIRECTORY_LOCKED';
}

export class DirectoryLock implements Disposable {
  readonly #file: DatabaseSync;

  private constructor(file: DatabaseSync) {
    this.#file = file;
  }

  static acquire(directory: string): DirectoryLock {
    const path = `${directory}/lock`;
    makeForOwner(path);
    const file = startLock(path, directory);
    try {
      writeFileSync(`${directory}/lock.holder`, `process ${process.pid}`, { mode: 0o600 });
    } catch {
      // The file serves only for a message: a full disk must not prevent reading.
    }
    return new DirectoryLock(file);
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

function startLock(path: string, directory: string): DatabaseSync {
  try {
    return lockFile(path);
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number };
    if (errcode !== sqliteBusy) {
      throw new DirectoryLockedError(`cannot lock ${path}: ${message}`, { cause: error });
    }
    throw new DirectoryLockedError(
      `cannot open ${directory}, another runtime owns it: ${holderOf(directory)}. Stop it first, or use another directory.`,
    );
  }
}

function lockFile(path: string): DatabaseSync {
  try {
    return openLocked(path);
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== sqliteNotADatabase) throw error;
    // No process holds the lock, since SQLite reads a file only after finding it free; and the program stores nothing
    // in it.
    truncateSync(path);
    return openLocked(path);
  }
}

function openLocked(path: string): DatabaseSync {
  const file = openFile(path, { timeout: 0 });
  try {
    // Without a journal nothing is written: a full disk must not prevent reading.
    file.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * SQLite would make it readable to all users, and does not report which file it cannot create. An existing file is not
 * opened: closing it again would release a lock that this process holds on it.
 */
function makeForOwner(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function holderOf(directory: string): string {
  try {
    return readFileSync(`${directory}/lock.holder`, 'utf8') || unknownHolder;
  } catch {
    return unknownHolder;
  }
}

const sqliteBusy = 5;
const sqliteNotADatabase = 26;
const unknownHolder = 'unknown process';

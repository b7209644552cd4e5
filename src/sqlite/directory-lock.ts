/**
 * Keeps a directory to one runtime. The lock is the kernel's, held through SQLite on a file made for it, so it
 * goes when the process goes, however it ends, and a second runtime in the same process is kept out, too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

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
    const file = new DatabaseSync(`${directory}/lock`, { timeout: 0 });
    try {
      file.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (error) {
      file.close();
      if ((error as { errcode?: number }).errcode !== 5) throw error;
      throw new DirectoryLockedError(
        `cannot open ${directory}, another runtime owns it: ${holderOf(directory)}. Stop it first, or use another directory.`,
      );
    }
    writeFileSync(`${directory}/lock.holder`, `process ${process.pid}`, { mode: 0o600 });
    return new DirectoryLock(file);
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

function holderOf(directory: string): string {
  try {
    return readFileSync(`${directory}/lock.holder`, 'utf8');
  } catch {
    return 'unknown process';
  }
}

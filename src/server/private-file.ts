/**
 * Files for the eyes of their owner. Whoever looks finds all of one or nothing of it, whenever the process may end; one that
 * cannot be written leaves nothing behind, and the error says which it was.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

const ownerOnly = 0o600;

/** The cause is the system's own answer. */
class FileWriteError extends Error {
  override readonly name = 'FileWriteError';
  readonly code = 'FILE_WRITE_FAILED';
  readonly path: string;

  constructor(file: string, cause: unknown) {
    super(`cannot write ${file}: ${(cause as Error).message}`, { cause });
    this.path = file;
  }
}

/** Replaces what is there; a file that has this text already is left alone, so that a full disk keeps nobody from starting. */
export function writePrivateFile(file: string, text: string): void {
  if (hasText(file, text)) return;
  writing(file, text, (temporary) => renameSync(temporary, file));
}

/** False when there is a file of that name already, which stays as it is. */
export function createPrivateFile(file: string, text: string): boolean {
  return writing(file, text, (temporary) => {
    try {
      linkSync(temporary, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    }
  });
}

/** Undefined when there is none. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function hasText(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch {
    // Whatever it is, it is not this.
    return false;
  }
}

/** The name cannot be guessed, so that in a shared directory nobody can have put something else there. */
function writing<T>(file: string, text: string, publish: (temporary: string) => T): T {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const handle = openSync(temporary, 'wx', ownerOnly);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    return publish(temporary);
  } catch (error) {
    throw new FileWriteError(file, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Files for the eyes of their owner. Whoever looks finds all of one or nothing of it, whenever the process may end. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';

const ownerOnly = 0o600;

export function writePrivateFile(file: string, text: string): void {
  const temporary = writeBeside(file, text);
  try {
    renameSync(temporary, file);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

/** False when there is a file of that name already, which stays as it is. */
export function createPrivateFile(file: string, text: string): boolean {
  const temporary = writeBeside(file, text);
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    unlinkSync(temporary);
  }
}

/** The name cannot be guessed, so that in a shared directory nobody can have put something else there. */
function writeBeside(file: string, text: string): string {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  const handle = openSync(temporary, 'wx', ownerOnly);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return temporary;
}

import { readFileSync } from 'node:fs';

/** `process.stdin` must not be touched before: it makes a pipe fail that has nothing to read yet. */
const standardInputFd = 0;

/** The text of a file, or of standard input for `-`. */
export function readInput(file: string): string {
  return readFileSync(file === '-' ? standardInputFd : file, 'utf8');
}

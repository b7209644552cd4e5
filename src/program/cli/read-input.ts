import { readFileSync } from 'node:fs';

/** `process.stdin` must not be used before: with it, a pipe without data yet causes an error. */
const standardInputFd = 0;

/** The text of a file, or of standard input for `-`. */
export function readInput(file: string): string {
  return readFileSync(file === '-' ? standardInputFd : file, 'utf8');
}

/** The work a client proves: a number that, hashed after the puzzle, gives a hash that begins with so many zero bits. */
import { hash } from 'node:crypto';
import { puzzleBits } from './limits.ts';

export function isSolved(puzzle: string, solution: string): boolean {
  if (!/^\d{1,12}$/.test(solution)) return false;
  const digest = hash('sha256', `${puzzle}:${solution}`, 'buffer');
  return digest.readUInt32BE(0) >>> (32 - puzzleBits) === 0;
}

/** What the page does, for tests and for programs that may pass. */
export function solve(puzzle: string): string {
  for (let number = 0; ; number++) if (isSolved(puzzle, String(number))) return String(number);
}

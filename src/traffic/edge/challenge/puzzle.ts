/**
 * The proof of work of a client: a number that, hashed after the puzzle's signature, gives a hash with enough leading
 * zero bits. The signature represents the whole puzzle and is short enough for one block of SHA-256.
 */
import { hash } from 'node:crypto';
import { solutionDigitsMax } from './limits.ts';

const digits = new RegExp(`^[0-9]{1,${solutionDigitsMax}}$`);

export function isSolved(puzzle: string, solution: string, bits: number): boolean {
  if (!digits.test(solution)) return false;
  const signature = puzzle.slice(puzzle.lastIndexOf('.') + 1);
  const digest = hash('sha256', `${signature}:${solution}`, 'buffer');
  return digest.readUInt32BE(0) >>> (32 - bits) === 0;
}

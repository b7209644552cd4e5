import { equal } from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { isSolved } from './puzzle.ts';
import { solvePuzzle } from './testing.ts';

test('isSolved requires a hash of the signature and the number with enough leading zero bits', () => {
  const puzzle = 'time.content.signature';
  const solution = solvePuzzle(puzzle, 16);
  equal(hash('sha256', `signature:${solution}`).slice(0, 4), '0000');
  equal(isSolved('other.things.signature', solution, 16), true);
  equal(isSolved(puzzle, solution, 32), false);
  equal(isSolved('time.content.Signature', solution, 16), false);
});

test('isSolved accepts only a short decimal number', () => {
  const puzzle = 'time.content.signature';
  const solution = solvePuzzle(puzzle, 16);
  for (const odd of [
    '',
    ' ',
    `${solution} `,
    `+${solution}`,
    `${solution}.0`,
    'NaN',
    '1e3',
    '9'.repeat(12),
    '٣',
  ]) {
    equal(isSolved(puzzle, odd, 16), false, odd);
  }
});

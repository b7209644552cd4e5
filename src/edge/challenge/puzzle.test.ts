import { equal } from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { isSolved } from './puzzle.ts';
import { solvePuzzle } from './testing.ts';

test('isSolved requires a hash of the signature and the number with 16 leading zero bits', () => {
  const puzzle = 'time.content.signature';
  const solution = solvePuzzle(puzzle);
  equal(hash('sha256', `signature:${solution}`).slice(0, 4), '0000');
  equal(isSolved('other.things.signature', solution), true);
  equal(isSolved('time.content.Signature', solution), false);
});

test('isSolved accepts only a short decimal number', () => {
  const puzzle = 'time.content.signature';
  const solution = solvePuzzle(puzzle);
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
    equal(isSolved(puzzle, odd), false, odd);
  }
});

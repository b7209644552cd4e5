import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemCodes } from './problem.ts';

test('problemCodes gives each problem a code of its own', () => {
  const codes = Object.values(problemCodes).map(({ code }) => code);
  assert.equal(new Set(codes).size, codes.length);
});

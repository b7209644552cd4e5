import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesetProblemCodes } from './problem.ts';

test('rulesetProblemCodes gives each problem a code of its own', () => {
  const codes = Object.values(rulesetProblemCodes).map(({ code }) => code);
  assert.equal(new Set(codes).size, codes.length);
});

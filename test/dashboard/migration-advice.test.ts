/** The advice of the page, compared with the server's codes. */
import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import { migrationCodes, migrationLossCodes } from '#contract';
import { findAdvice, isLoss } from '../../src/browser/page/pages/migration/advice.ts';

test('findAdvice knows every refusal that a reader of the page can meet, and every loss', () => {
  // The page always sends phase_two.
  const refusals = Object.values(migrationCodes).filter(({ code }) => code !== 10701);
  for (const { code } of refusals) ok(findAdvice(code) !== undefined && !isLoss(code), String(code));
  for (const { code } of Object.values(migrationLossCodes))
    ok(findAdvice(code) !== undefined && isLoss(code));
});

import { ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { summariesFile, writeSummaries } from './managed-summaries.ts';

test('managed-summaries: src/rules/managed/summaries.json is up to date', () => {
  // Compared as a flag: a difference of 70 KB is unreadable.
  ok(readFileSync(summariesFile, 'utf8') === writeSummaries(), 'run: npm run generate');
});

import { equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apiGuide, withTables } from './api-guide.ts';

test('withTables: the tables of docs/reference/api.md are up to date', () => {
  const page = readFileSync(apiGuide, 'utf8');
  equal(page, withTables(page), 'run: node test/sdk/api-guide.ts');
});

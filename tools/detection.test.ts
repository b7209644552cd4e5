import { equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readFigures } from '../test/detection/measure.ts';
import { replaceTables } from './detection.ts';

test('detection: docs/rules/managed-rules.md shows the figures of the gate (npm run detection)', () => {
  const text = readFileSync(new URL('../docs/rules/managed-rules.md', import.meta.url), 'utf8');
  equal(text, replaceTables(text, readFigures()));
});

import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { formatAxisTimes } from './axis-times.ts';

test('formatAxisTimes writes times as a language does, and each date once', () => {
  const at = new Date(2026, 5, 17, 22).getTime() / 1000;
  const hours = [at, at + 3_600, at + 7_200, at + 10_800];
  deepEqual(formatAxisTimes(hours, 3_600, 'de-DE'), ['22:00\n17. Juni', '23:00', '00:00\n18. Juni', '01:00']);
  deepEqual(formatAxisTimes([at, at + 86_400], 86_400, 'en-GB'), ['17 Jun', '18 Jun']);
});

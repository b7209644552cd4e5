import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { parseMoment } from './moment.ts';

const now = Date.parse('2026-01-31T12:00:00Z');

test('parseMoment reads times, how long ago, and bookmarks', () => {
  const bookmark = `00000000-00000008-00000000-${'ab'.repeat(16)}`;
  const cases: [string, unknown][] = [
    ['1h', { time: now - 3_600_000 }],
    ['1h ago', { time: now - 3_600_000 }],
    ['2d12h', { time: now - 60 * 3_600_000 }],
    ['1.5m', { time: now - 90_000 }],
    ['250ms', { time: now - 250 }],
    ['1w', { time: now - 7 * 86_400_000 }],
    ['now', { time: now }],
    ['2026-01-31T11:00:00Z', { time: now - 3_600_000 }],
    ['2026-01-31 11:00:00.500Z', { time: now - 3_600_000 + 500 }],
    ['2026-01-31T13:00+02:00', { time: now - 3_600_000 }],
    ['2026-01-31', { time: Date.parse('2026-01-31') }],
    [bookmark, { bookmark }],
  ];
  for (const [text, moment] of cases) deepEqual(parseMoment(text, now), moment, text);
});

test('parseMoment refuses what could mean something else', () => {
  for (const text of [
    '',
    'yesterday',
    '1',
    '1x',
    '-1h',
    '1h 2',
    '2026',
    '2026-13-01',
    '01/02/2026',
    'h',
    'Infinityh',
  ])
    deepEqual(parseMoment(text, now), undefined, text);
});

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { KnownBatches } from './known-batches.ts';
import { batchesKnownMax } from './limits.ts';

test('KnownBatches takes a batch once, and remembers as many names as its bound', () => {
  const batches = new KnownBatches();
  for (let count = 0; count < batchesKnownMax; count++) equal(batches.add(`b${count}`), true);
  deepEqual(
    ['b0', `b${batchesKnownMax - 1}`].map((name) => batches.add(name)),
    [false, false],
  );
  // One more replaces the oldest, and no other.
  equal(batches.add('more'), true);
  deepEqual(
    ['b1', 'b2', 'more', 'b0'].map((name) => batches.add(name)),
    [false, false, false, true],
  );
});

test('KnownBatches takes every batch without a name', () => {
  const batches = new KnownBatches();
  deepEqual([batches.add(undefined), batches.add(undefined)], [true, true]);
});

import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { BackOff, backOffMs } from './back-off.ts';

test('BackOff doubles its wait up to its bound, and starts again after a success', () => {
  const backOff = new BackOff({ msMin: 100, msMax: 500 });
  deepEqual([backOff.next(), backOff.next(), backOff.next(), backOff.next()], [100, 200, 400, 500]);
  backOff.reset();
  deepEqual([backOff.next(), backOff.next()], [100, 200]);
});

test('backOffMs never exceeds its bound, however often something has failed', () => {
  const limits = { msMin: 100, msMax: 500 };
  deepEqual(
    [1, 2, 3, 4, 5_000].map((failures) => backOffMs(failures, limits)),
    [100, 200, 400, 500, 500],
  );
});

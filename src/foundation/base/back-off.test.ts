import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { BackOff } from './back-off.ts';

test('BackOff doubles its wait up to its bound, and starts again after a success', () => {
  const backOff = new BackOff({ msMin: 100, msMax: 500 });
  deepEqual([backOff.next(), backOff.next(), backOff.next(), backOff.next()], [100, 200, 400, 500]);
  backOff.reset();
  deepEqual([backOff.next(), backOff.next()], [100, 200]);
});

import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { rateLimitedMax } from '../../context/limits.ts';
import { RateLimit } from './rate-limit.ts';

test('RateLimit forgets the oldest window rather than grow without bound', () => {
  const limit = new RateLimit('default', { requests: 1, windowMs: 1000 });
  limit.take('first', 0);
  for (let count = 1; count < rateLimitedMax; count++) limit.take(`other ${count}`, 0);
  // The limit's capacity of callers is remembered; one more replaces the oldest, and no other.
  deepEqual(limit.read('first', 0).isOver, true);
  limit.take('one more', 0);
  deepEqual(
    ['first', 'other 1', `other ${rateLimitedMax - 1}`, 'one more'].map((who) => limit.read(who, 0).isOver),
    [false, true, true, true],
  );
});

test('RateLimit locks nobody out for longer when the clock is set back', () => {
  const limit = new RateLimit('default', { requests: 1, windowMs: 1000 });
  limit.take('a', 5000);
  deepEqual(limit.take('a', 5000).isOver, true);
  deepEqual(limit.take('a', 100).isOver, false);
});

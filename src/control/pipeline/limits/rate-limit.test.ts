import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { rateLimitedMax } from '../../context/limits.ts';
import { RateLimit } from './rate-limit.ts';

test('RateLimit forgets the oldest window rather than grow without bound', () => {
  const limit = new RateLimit('default', { requests: 1, windowMs: 1000 });
  limit.take('first', 0);
  const remaining = (who: string): boolean => limit.take(who, 0).isOver;
  for (let count = 0; count < rateLimitedMax; count++) limit.take(`other ${count}`, 0);
  deepEqual([remaining('first'), remaining(`other ${rateLimitedMax - 1}`)], [false, true]);
});

test('RateLimit locks nobody out for longer when the clock is set back', () => {
  const limit = new RateLimit('default', { requests: 1, windowMs: 1000 });
  limit.take('a', 5000);
  deepEqual(limit.take('a', 5000).isOver, true);
  deepEqual(limit.take('a', 100).isOver, false);
});

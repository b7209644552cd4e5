import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { rateLimitedMax } from '../context/limits.ts';
import { RateLimit } from './rate-limit.ts';

test('RateLimit forgets the one whose window opened first rather than grow without end', () => {
  const limit = new RateLimit('default', { requests: 1, windowMs: 1000 });
  limit.take('first', 0);
  const remaining = (who: string): boolean => limit.take(who, 0).isOver;
  for (let count = 0; count < rateLimitedMax; count++) limit.take(`other ${count}`, 0);
  deepEqual([remaining('first'), remaining(`other ${rateLimitedMax - 1}`)], [false, true]);
});

test('RateLimit keeps nobody out for longer because the clock was put back', () => {
  const limit = new RateLimit('default', { requests: 1, windowMs: 1000 });
  limit.take('a', 5000);
  deepEqual(limit.take('a', 5000).isOver, true);
  deepEqual(limit.take('a', 100).isOver, false);
});

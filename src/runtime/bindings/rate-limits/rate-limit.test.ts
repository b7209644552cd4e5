import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../testing.ts';
import { RateLimit } from './rate-limit.ts';

test('RateLimit counts the uses of each key in each period, also for another version of the code', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 60_000 });
  const settings = { limit: 2, period: 10 };
  const limiter = new RateLimit('test', settings);
  const use = async (key: string, by = limiter) => (await by.limit({ key })).success;
  deepEqual([await use('a'), await use('a'), await use('a'), await use('b')], [true, true, false, true]);
  equal(await use('a', new RateLimit('test', settings)), false);
  equal(await use('a', new RateLimit('other', settings)), true);
  t.mock.timers.setTime(69_999);
  equal(await use('a'), false);
  t.mock.timers.setTime(70_000);
  equal(await use('a'), true);
});

test('RateLimit refuses what it cannot count', async () => {
  const limiter = new RateLimit('refusals', { limit: 1, period: 60 });
  const refusals = await Promise.all(
    [undefined, { name: 'a' }, { key: 5 }, { key: 'a', period: 5 }].map((options) =>
      refusalOf(() => limiter.limit(options)),
    ),
  );
  deepEqual(refusals, [
    'Error: invalid rate limit options',
    'Error: bad rate limit options: [name]',
    'Error: invalid key: 5',
    'Error: unsupported period: 5',
  ]);
});

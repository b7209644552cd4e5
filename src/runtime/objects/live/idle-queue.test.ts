import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, VirtualClock } from '#base';
import { IdleQueue } from './idle-queue.ts';

function makeQueue(
  idleMs: number,
  onExpired?: (item: string, queue: IdleQueue<string>) => void,
  idleMax = 100,
) {
  const clock = new VirtualClock({ start: 0 });
  const expired: Array<[string, number]> = [];
  const queue = new IdleQueue<string>(clock, { idleMs, idleMax }, (item) => {
    expired.push([item, clock.now()]);
    onExpired?.(item, queue);
  });
  return { clock, expired, queue };
}

test('IdleQueue hands out each item when its time is over, oldest first', async () => {
  const { clock, expired, queue } = makeQueue(10);
  queue.add('a');
  await clock.advance(5);
  queue.add('b');
  await clock.advance(20);
  deepEqual(expired, [
    ['a', 10],
    ['b', 15],
  ]);
});

test('IdleQueue starts over for an item that is added again, and forgets one that is deleted', async () => {
  const { clock, expired, queue } = makeQueue(10);
  queue.add('a');
  queue.add('b');
  await clock.advance(8);
  queue.add('a');
  queue.delete('b');
  await clock.advance(8);
  deepEqual(expired, []);
  await clock.advance(8);
  deepEqual(expired, [['a', 18]]);
});

test('IdleQueue takes an item back that is added while it expires, even if nothing may be idle', async () => {
  const { clock, expired, queue } = makeQueue(0, (item, own) => own.add(item));
  queue.add('a');
  await clock.advance(3);
  deepEqual(expired, [
    ['a', 1],
    ['a', 2],
    ['a', 3],
  ]);
});

test('IdleQueue that is stopped hands out nothing', async () => {
  const { clock, expired, queue } = makeQueue(10);
  queue.add('a');
  queue.stop();
  await clock.advance(100);
  deepEqual(expired, []);
});

test('IdleQueue hands out the oldest at once when there are too many', () => {
  const { expired, queue } = makeQueue(10, undefined, 2);
  for (const item of ['a', 'b', 'a', 'c', 'd']) queue.add(item);
  deepEqual(expired, [
    ['b', 0],
    ['a', 0],
  ]);
});

test('IdleQueue takes back what it had to push out without pushing out another', () => {
  const { expired, queue } = makeQueue(10, (item, self) => self.add(item), 1);
  queue.add('a');
  queue.add('b');
  deepEqual(expired, [['a', 0]]);
});

test('IdleQueue hands out what came in before the clock was set back', () => {
  let now = 3_600_000;
  let onTimer = (): void => {};
  const setTimer: Clock['setTimer'] = (_at, callback) => {
    onTimer = callback;
    return { cancel() {} };
  };
  const expired: string[] = [];
  const clock: Clock = { virtual: false, now: () => now, setTimer };
  const queue = new IdleQueue<string>(clock, { idleMs: 10, idleMax: 100 }, (item) => expired.push(item));
  queue.add('before');
  now = 0;
  queue.add('after');
  now = 5;
  onTimer();
  deepEqual(expired, ['before']);
});

import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { type AlarmOutcome, AlarmScheduler, type DueAlarm } from './alarm-scheduler.ts';
import type { Owner } from '../ledger/records.ts';

const done: AlarmOutcome = { result: 'settled', next: null };
const owner = (name: string): Owner => name as Owner;

interface Fired extends DueAlarm {
  readonly owner: string;
  readonly at: number;
}

function makeScheduler(fire: (fired: Fired) => AlarmOutcome | Promise<AlarmOutcome>) {
  const clock = new VirtualClock({ start: 0 });
  clock.attach(async () => await new Promise((resolve) => void setImmediate(resolve)));
  const fired: Fired[] = [];
  const dropped: string[] = [];
  const scheduler = new AlarmScheduler({
    clock,
    retriesMax: 2,
    fire: async (one, alarm) => {
      const entry = { owner: one, at: clock.now(), ...alarm };
      fired.push(entry);
      return await fire(entry);
    },
    drop: (one) => void dropped.push(one),
  });
  return { clock, scheduler, fired, dropped };
}

test('AlarmScheduler fires in order of time, whatever the order they were set in', async () => {
  const { clock, scheduler, fired } = makeScheduler(() => done);
  const times = [50, 10, 40, 20, 30, 10];
  for (const [index, time] of times.entries()) scheduler.set(owner(`${index}`), time);
  await clock.advance(100);
  deepEqual(
    fired.map(({ at }) => at),
    times.toSorted((a, b) => a - b),
  );
});

test('AlarmScheduler forgets an alarm that is deleted, and takes one set again for the same time', async () => {
  const { clock, scheduler, fired } = makeScheduler(() => done);
  scheduler.set(owner('a'), 10);
  scheduler.set(owner('a'), undefined);
  scheduler.set(owner('b'), 10);
  scheduler.set(owner('b'), undefined);
  scheduler.set(owner('b'), 10);
  await clock.advance(100);
  deepEqual(
    fired.map((one) => one.owner),
    ['b'],
  );
});

test('AlarmScheduler keeps an alarm aside while the one before runs', async () => {
  const gate = Promise.withResolvers<AlarmOutcome>();
  const { clock, scheduler, fired } = makeScheduler(({ at }) => (at === 10 ? gate.promise : done));
  scheduler.set(owner('a'), 10);
  await clock.advance(10);
  equal(scheduler.running, 1);
  scheduler.set(owner('a'), 20);
  await clock.advance(50);
  equal(fired.length, 1);
  gate.resolve(done);
  await clock.advance(0);
  deepEqual(
    fired.map(({ at, scheduledTime }) => [at, scheduledTime]),
    [
      [10, 10],
      [60, 20],
    ],
  );
});

test('AlarmScheduler drops an alarm whose counted retries are used up', async () => {
  const { clock, scheduler, fired, dropped } = makeScheduler(() => ({ result: 'failed', counted: true }));
  scheduler.set(owner('a'), 10);
  await clock.advance(60_000);
  deepEqual(
    fired.map(({ retryCount }) => retryCount),
    [0, 1, 2],
  );
  deepEqual(dropped, ['a']);
});

test('AlarmScheduler retries what does not count for ever, ever more slowly up to a limit', async () => {
  const { clock, scheduler, fired, dropped } = makeScheduler(() => ({ result: 'failed', counted: false }));
  scheduler.set(owner('a'), 10);
  await clock.advance(24 * 60 * 60_000);
  ok(fired.length > 20);
  deepEqual([...new Set(fired.map(({ retryCount }) => retryCount))], [0]);
  const last = fired.at(-1)!.at - fired.at(-2)!.at;
  ok(last >= 1_024_000 && last <= 1_280_000, `${last}`);
  deepEqual(dropped, []);
});

test('AlarmScheduler goes on with the alarm a run answers with', async () => {
  const { clock, scheduler, fired } = makeScheduler(({ at }) => ({
    result: 'settled',
    next: at < 50 ? at + 20 : null,
  }));
  scheduler.set(owner('a'), 10);
  await clock.advance(1_000);
  deepEqual(
    fired.map(({ at }) => at),
    [10, 30, 50],
  );
});

test('AlarmScheduler that is stopped fires nothing more', async () => {
  const { clock, scheduler, fired } = makeScheduler(() => done);
  scheduler.set(owner('a'), 10);
  scheduler.stop();
  await clock.advance(100);
  deepEqual(fired, []);
});

test('AlarmScheduler fires each alarm once and in order after one was moved very often', async () => {
  const { clock, scheduler, fired } = makeScheduler(() => done);
  scheduler.set(owner('a'), 10);
  scheduler.set(owner('b'), 30);
  for (let moves = 0; moves < 5_000; moves++) scheduler.set(owner('c'), 10_000 - moves);
  scheduler.set(owner('c'), 20);
  await clock.advance(20_000);
  deepEqual(
    fired.map((one) => [one.owner, one.at]),
    [
      ['a', 10],
      ['c', 20],
      ['b', 30],
    ],
  );
});

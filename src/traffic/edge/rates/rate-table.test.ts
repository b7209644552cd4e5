import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { RateTable } from './rate-table.ts';

const periodMs = 10_000;
const startMs = Date.UTC(2026, 0, 1);

function createTaker(table: RateTable, limit: { readonly requests: number; readonly timeoutMs: number }) {
  return (key: string, atMs: number) =>
    table.take(key, { ...limit, periodMs }, { isCounted: true, nowMs: startMs + atMs });
}

test('RateTable: the first request beyond the limit starts the timeout, after which the count begins again', () => {
  const take = createTaker(new RateTable(), { requests: 3, timeoutMs: 20_000 });
  deepEqual([take('a', 0), take('a', 1), take('a', 2)].map(({ count, isOver }) => [count, isOver]), [
    [1, false],
    [2, false],
    [3, false],
  ]); // prettier-ignore
  deepEqual(take('a', 3), { isOver: true, count: 4, added: 1, retryAfterSeconds: 20 });
  equal(take('b', 4).isOver, false, 'another key');
  equal(take('a', 20_002).isOver, true);
  deepEqual(take('a', 20_003), { isOver: false, count: 1, added: 1, retryAfterSeconds: 0 });
});

test('RateTable: without a timeout only the excess is stopped, and the rate passes', () => {
  const take = createTaker(new RateTable(), { requests: 100, timeoutMs: 0 });
  for (const perSecond of [11, 20, 50]) {
    let passed = 0;
    const seconds = 100;
    for (let index = 0; index < perSecond * seconds; index++) {
      if (!take(`at ${perSecond}`, (index * 1_000) / perSecond).isOver) passed++;
    }
    ok(passed >= 0.95 * 10 * seconds && passed <= 1.01 * 10 * seconds, `${perSecond}/s: ${passed}`);
  }
});

test('RateTable: no limit is passed twice around the end of a window', () => {
  const take = createTaker(new RateTable(), { requests: 100, timeoutMs: 0 });
  let passed = 0;
  for (let index = 0; index < 100; index++) if (!take('a', 9_990).isOver) passed++;
  for (let index = 0; index < 100; index++) if (!take('a', 10_010).isOver) passed++;
  ok(passed <= 101, String(passed));
});

test('RateTable: a request passes once the time is over that it was told to wait', () => {
  const take = createTaker(new RateTable(), { requests: 4, timeoutMs: 0 });
  for (const burstMs of [0, 3_000, 9_999]) {
    const key = String(burstMs);
    for (let index = 0; index < 10; index++) take(key, burstMs);
    const { isOver, retryAfterSeconds } = take(key, burstMs);
    equal(isOver, true);
    equal(take(key, burstMs + retryAfterSeconds * 1_000).isOver, false, key);
  }
});

test('RateTable forgets the keys that were not used for longest when it is full, and stopped ones last', () => {
  const table = new RateTable({ keysMax: 100 });
  const take = createTaker(table, { requests: 1, timeoutMs: 60_000 });
  for (let index = 0; index < 10; index++) {
    take(`attacker ${index}`, 0);
    equal(take(`attacker ${index}`, 0).isOver, true);
  }
  for (let index = 0; index < 10_000; index++) equal(take(`visitor ${index}`, index).isOver, false);
  equal(table.size, 100);
  equal(table.forgotten, 10_010 - 100);
  for (let index = 0; index < 10; index++) equal(take(`attacker ${index}`, 10_000).isOver, true);
});

test('RateTable counts on when the clock is set back, and begins again when it jumps ahead', () => {
  const take = createTaker(new RateTable(), { requests: 2, timeoutMs: 0 });
  take('a', 50_000);
  take('a', 50_000);
  equal(take('a', 0).isOver, true);
  equal(take('a', 500_000).isOver, false);
});

test('RateTable lists the keys that are stopped or nearest to it, and none that count nothing any more', () => {
  const table = new RateTable();
  const limited = createTaker(table, { requests: 10, timeoutMs: 60_000 });
  for (let visitor = 1; visitor <= 9; visitor++)
    for (let times = 0; times < visitor; times++) limited(`visitor ${visitor}`, 0);
  for (let times = 0; times < 11; times++) limited('stopped', 0);
  const list = (atMs: number, max: number): (readonly [string, number])[] =>
    table.listFullest(startMs + atMs, max).map(({ key, count }) => [key, count]);
  deepEqual(list(0, 3), [
    ['stopped', 0],
    ['visitor 9', 9],
    ['visitor 8', 8],
  ]);
  equal(list(0, 100).length, 10);
  deepEqual(
    list(15_000, 2).map(([, count]) => count),
    [0, 4],
  );
  deepEqual(list(25_000, 100), [['stopped', 0]]);
});

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import type { RateHit, SharedCount } from '#firewall';
import { RateCounters } from './rate-counters.ts';

const limit = { requests: 3, periodMs: 10_000, timeoutMs: 30_000 };
const hit: RateHit = {
  ruleId: 'rule',
  key: '=192.0.2.1',
  limit,
  isCounted: true,
  isAsked: true,
  isOfAllHosts: false,
};

test('RateCounters counts a request once for each rule, however often it is judged', () => {
  // By the clock of the machine, a window could end in between.
  const counters = new RateCounters({ clock: new VirtualClock() });
  const request = counters.open('zone');
  deepEqual([request.take(hit).count, request.take(hit).count], [1, 1]);
  equal(request.take({ ...hit, ruleId: 'other' }).count, 1);
  equal(counters.open('zone').take(hit).count, 2);
  equal(counters.open('other zone').take(hit).count, 1);
});

test('RateCounters of several processes count together, and stop a key together', async () => {
  const clock = new VirtualClock();
  const all: RateCounters[] = [];
  const create = (): RateCounters => {
    const share = (counts: readonly SharedCount[]): void => {
      for (const other of all) if (other !== counters) other.receive(counts);
    };
    const counters = new RateCounters({ clock, share });
    all.push(counters);
    return counters;
  };
  const [first, second] = [create(), create()];
  first.open('zone').take(hit);
  second.open('zone').take(hit);
  await clock.advance(50);
  equal(first.open('zone').take(hit).count, 3);
  await clock.advance(50);
  equal(second.open('zone').take(hit).isOver, true);
  await clock.advance(50);
  equal(first.open('zone').take(hit).isOver, true);
  await clock.advance(30_000);
  equal(first.open('zone').take(hit).isOver, false);
});

test('RateCounters: whoever has proven to be a person begins again', () => {
  // By the clock of the machine, a window could end in between.
  const counters = new RateCounters({ clock: new VirtualClock() });
  for (let index = 0; index < 4; index++) counters.open('zone').take(hit);
  const request = counters.open('zone');
  equal(request.take(hit).isOver, true);
  request.reset(hit);
  equal(request.take(hit).count, 1);
});

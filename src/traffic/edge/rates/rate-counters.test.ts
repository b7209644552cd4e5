import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Clock, VirtualClock } from '#base';
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
  // On the real clock, a window could end in between.
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
    const share = async (counts: readonly SharedCount[]): Promise<void> => {
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

/**
 * Connects the processes as the program does: each receives the counts of the others and returns its own unshared ones.
 */
function createProcesses(processes: number, clock: Clock): RateCounters[] {
  const all: RateCounters[] = Array.from({ length: processes }, (_, index) => {
    const share = async (counts: readonly SharedCount[]): Promise<void> => {
      for (const [other, each] of all.entries()) {
        if (other === index) continue;
        // The program delivers the message in a later turn.
        await new Promise((resolve) => void setImmediate(resolve));
        each.receive(counts);
        const unreported = each.takeUnshared();
        for (const [third, told] of all.entries()) if (third !== other) told.receive(unreported);
      }
    };
    return new RateCounters({ clock, share, processes });
  });
  return all;
}

test('RateCounters of several processes count a client exactly that waits for each answer', async () => {
  const asked = fc.array(fc.nat({ max: 3 }), { minLength: 60, maxLength: 60 });
  const settings = fc.record({
    processes: fc.integer({ min: 2, max: 4 }),
    requests: fc.integer({ min: 1, max: 40 }),
    timeoutMs: fc.constantFrom(0, 30_000),
    isAsked: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(settings, asked, async ({ processes, requests, timeoutMs, isAsked }, order) => {
      const all = createProcesses(processes, new VirtualClock());
      const passed: boolean[] = [];
      for (const index of order) {
        const request = all[index % processes]!.open('zone');
        const counted = { ...hit, limit: { ...limit, requests, timeoutMs } };
        // Like a counting expression: one rule counts, and the request is judged by the count before it.
        if (!isAsked) {
          passed.push(!request.take({ ...counted, isCounted: false }).isOver);
          request.awaitResponse(counted, () => 1);
          if (passed.at(-1) === true) request.countResponse({ status: 401, headers: [] });
        } else passed.push(!request.take(counted).isOver);
        await request.notifyOthers();
      }
      // When responses are counted, the request that crosses the limit has passed.
      const allowed = isAsked ? requests : requests + 1;
      deepEqual(
        passed,
        order.map((_, index) => index < allowed),
      );
    }),
    { numRuns: 60 },
  );
});

test('RateCounters do not let answers wait for processes that do not answer', async () => {
  const clock = new VirtualClock();
  const counters = new RateCounters({ clock, processes: 2, share: () => new Promise(() => {}) });
  const ask = (): Promise<void> | undefined => {
    const request = counters.open('zone');
    request.take({ ...hit, limit: { ...limit, requests: 10_000, timeoutMs: 0 }, weight: 6_000 });
    return request.notifyOthers();
  };
  let isAnswered = false;
  const answered = ask()!.then(() => (isAnswered = true));
  await new Promise((resolve) => void setImmediate(resolve));
  await clock.advance(249);
  equal(isAnswered, false);
  await clock.advance(1);
  await answered;
  counters.reset('zone');
  equal(ask(), undefined);
});

/** The monotonic clock advances, whatever the time of day is set to. */
class SetClock extends VirtualClock implements Clock {
  setMs = 0;

  override now(): number {
    return super.now() + this.setMs;
  }

  elapsed(): number {
    return super.now();
  }

  override setTimer(...[at, ...rest]: Parameters<VirtualClock['setTimer']>): ReturnType<Clock['setTimer']> {
    return super.setTimer(at - this.setMs, ...rest);
  }
}

for (const [way, setMs] of [
  ['back', -3_600_000],
  ['forward', 3_600_000],
] as const) {
  test(`RateCounters keep a timeout and a rate as long as they last when a clock is set ${way}`, async () => {
    // Each host has its own time of day.
    const clocks = [new SetClock(), new SetClock()] as const;
    const hosts: RateCounters[] = clocks.map(
      (clock, i) => new RateCounters({ clock, share: async (counts) => hosts[1 - i]!.receive(counts) }),
    );
    const [first, second] = hosts as [RateCounters, RateCounters];
    const advance = async (ms: number): Promise<void> => {
      for (const clock of clocks) await clock.advance(ms);
    };
    const isOver = (counters: RateCounters, change: Partial<RateHit> = {}): boolean =>
      counters.open('zone').take({ ...hit, ...change }).isOver;
    const rate = { ruleId: 'rate', limit: { ...limit, timeoutMs: 0 } };
    for (let i = 0; i < 4; i++) {
      isOver(first);
      isOver(first, rate);
    }
    clocks[0].setMs = setMs;
    deepEqual([isOver(first), isOver(first, rate)], [true, true]);
    const until = first.listFullest().find(({ untilMs }) => untilMs > 0)!.untilMs;
    equal(until, clocks[0].now() + limit.timeoutMs);
    await advance(50);
    deepEqual([isOver(second), isOver(second, rate)], [true, true]);
    await advance(20_000);
    deepEqual([isOver(first), isOver(second)], [true, true]);
    deepEqual([isOver(first, rate), isOver(second, rate)], [false, false]);
    await advance(10_000);
    deepEqual([isOver(first), isOver(second)], [false, false]);
  });
}

test('RateCounters: whoever has proven to be a person begins again', () => {
  // On the real clock, a window could end in between.
  const counters = new RateCounters({ clock: new VirtualClock() });
  for (let index = 0; index < 4; index++) counters.open('zone').take(hit);
  const request = counters.open('zone');
  equal(request.take(hit).isOver, true);
  request.reset(hit);
  equal(request.take(hit).count, 1);
});

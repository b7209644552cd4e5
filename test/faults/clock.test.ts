import { deepEqual } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TimerKind } from '#base';

const hourMs = 3_600_000;
const stepMs = 1_000;

interface SetTimers {
  /** The timers that have fired. */
  readonly fired: TimerKind[];
  /** Time passes. */
  pass(ms: number): void;
  /** The clock of the machine is set. */
  setClock(byMs: number): void;
}

/**
 * Timers of every kind that are due in a minute. From now on the test controls the clock and the timeouts of this
 * process.
 */
async function setTimers(t: TestContext): Promise<SetTimers> {
  let now = 10 * hourMs;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(Date, 'now', () => now);
  // It keeps the timer functions that exist when it is loaded.
  const { realClock } = (await import(
    `../../src/foundation/base/clock.ts?${t.name}`
  )) as typeof import('../../src/foundation/base/clock.ts');
  const fired: TimerKind[] = [];
  for (const kind of ['alarm', 'cron', 'timer', 'housekeeping'] as const)
    realClock.setTimer(now + 60_000, () => fired.push(kind), kind);
  return {
    fired,
    pass(ms) {
      for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
        now += Math.min(leftMs, stepMs);
        t.mock.timers.tick(Math.min(leftMs, stepMs));
      }
    },
    setClock: (byMs) => void (now += byMs),
  };
}

test('realClock runs timers when their time has come, and not before', async (t) => {
  const { fired, pass } = await setTimers(t);
  pass(59_999);
  deepEqual(fired, []);
  pass(1);
  deepEqual(fired.toSorted(), ['alarm', 'cron', 'housekeeping', 'timer']);
});

test('realClock that is set back keeps alarms until their time comes again, and makes nothing else wait', async (t) => {
  const { fired, pass, setClock } = await setTimers(t);
  pass(30_000);
  setClock(-hourMs);
  pass(30_000);
  deepEqual(fired.toSorted(), ['housekeeping', 'timer']);
  pass(hourMs);
  deepEqual(fired.toSorted(), ['alarm', 'cron', 'housekeeping', 'timer']);
});

test('realClock that is set forward runs the alarms that are due by then, and nothing else too early', async (t) => {
  const { fired, pass, setClock } = await setTimers(t);
  pass(30_000);
  setClock(hourMs);
  pass(10_000);
  deepEqual(fired, ['alarm', 'cron']);
  pass(20_000);
  deepEqual(fired, ['alarm', 'cron', 'timer', 'housekeeping']);
});

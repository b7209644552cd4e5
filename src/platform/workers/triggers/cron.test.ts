import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { CronTimers } from './cron-timers.ts';
import { Cron } from './cron.ts';

function nextOf(text: string, after: string): string | undefined {
  const next = Cron.parse(text).next(Date.parse(after));
  return next === undefined ? undefined : new Date(next).toISOString().slice(0, 16);
}

test('Cron finds the next moment', () => {
  const cases: [cron: string, after: string, next: string | undefined][] = [
    ['* * * * *', '2026-01-31T23:59:30Z', '2026-02-01T00:00'],
    ['*/15 * * * *', '2026-01-01T10:15:00Z', '2026-01-01T10:30'],
    ['0 17 * * SUN', '2026-11-16T00:00:00Z', '2026-11-22T17:00'],
    ['0 17 * * 1', '2026-11-16T00:00:00Z', '2026-11-22T17:00'],
    ['10 7 * * mon-fri', '2026-11-20T07:10:00Z', '2026-11-23T07:10'],
    ['0 15 1 * *', '2026-11-16T00:00:00Z', '2026-12-01T15:00'],
    ['0 18 * * 6L', '2026-11-16T00:00:00Z', '2026-11-27T18:00'],
    ['0 0 * * 2#3', '2026-11-01T00:00:00Z', '2026-11-16T00:00'],
    ['59 23 LW * *', '2026-05-01T00:00:00Z', '2026-05-29T23:59'],
    ['0 0 15W * *', '2026-08-01T00:00:00Z', '2026-08-14T00:00'],
    ['0 0 1W * *', '2026-08-01T00:00:00Z', '2026-08-03T00:00'],
    ['0 0 L FEB *', '2027-03-01T00:00:00Z', '2028-02-29T00:00'],
    ['0 0 29 2 *', '2027-01-01T00:00:00Z', '2028-02-29T00:00'],
    ['30 1,13 * 1-3 *', '2026-03-31T14:00:00Z', '2027-01-01T01:30'],
    ['5/20 0 * * *', '2026-01-01T00:05:00Z', '2026-01-01T00:25'],
    ['0 0 13 * FRI', '2026-11-16T00:00:00Z', '2026-11-20T00:00'],
    ['0 0 31 2 *', '2026-01-01T00:00:00Z', undefined],
  ];
  for (const [cron, after, next] of cases) equal(nextOf(cron, after), next, cron);
});

test('Cron names what is wrong with an expression', () => {
  const cases: [string, RegExp][] = [
    ['* * * *', /five fields/],
    ['60 * * * *', /"60" must be a number from 0 to 59/],
    ['* * * * 0', /"0" must be a number from 1 to 7/],
    ['*/0 * * * *', /no valid step/],
    ['5-1 * * * *', /ends before it begins/],
    ['* * 32W * *', /from 1 to 31/],
    ['* * * MAI *', /"MAI" must be a number from 1 to 12/],
    ['1-2-3 * * * *', /not a range/],
  ];
  for (const [text, message] of cases) throws(() => Cron.parse(text), { name: 'ConfigError', message });
});

test('CronTimers fires at each moment, and with the expressions that were named last', async () => {
  const clock = new VirtualClock({ start: Date.parse('2026-01-01T00:00:30Z') });
  const fired: string[] = [];
  using timers = new CronTimers({
    clock,
    fire: (cron, time) => void fired.push(`${cron} ${new Date(time).toISOString().slice(11, 16)}`),
  });
  timers.use(['*/2 * * * *']);
  await clock.advance(4 * 60_000);
  timers.use(['5 * * * *']);
  await clock.advance(3_600_000);
  equal(fired.join(', '), '*/2 * * * * 00:02, */2 * * * * 00:04, 5 * * * * 00:05');
  // It is 01:04:30; a previous process ended at 00:59.
  timers.use(['1 * * * *', '30 * * * *'], Date.parse('2026-01-01T00:59:00Z'));
  await clock.advance(1);
  equal(fired.slice(3).join(', '), '1 * * * * 01:01');
});

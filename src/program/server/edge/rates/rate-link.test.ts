import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, VirtualClock } from '#base';
import type { CountedKey, RateAnswer, SharedCount } from '#firewall';
import { mergeKeys, RateLink, type RateLinkOptions } from './rate-link.ts';

const count: SharedCount = {
  key: 'a',
  requests: 3,
  periodMs: 10_000,
  added: 1,
  stopMs: 0,
  isOfAllHosts: true,
};
const full: CountedKey = { key: 'a', requests: 3, periodMs: 10_000, count: 2, untilMs: 0 };
const nothing: RateAnswer = { after: 'e:1', counts: [], released: [], keysWanted: false };

type Report = Parameters<RateLinkOptions['exchange']>[0];

function open(options: Partial<RateLinkOptions> = {}): {
  clock: VirtualClock;
  reports: Report[];
  link: RateLink;
  lines: string[];
} {
  const clock = new VirtualClock();
  const reports: Report[] = [];
  const lines: string[] = [];
  const link = new RateLink({
    clock,
    log: createLog({ level: 'debug', format: 'json', write: (line) => lines.push(line) }),
    hasKeys: () => false,
    listKeys: async () => [],
    onCounts: () => {},
    onReleased: () => {},
    ...options,
    exchange: (report) => {
      reports.push(report);
      return options.exchange?.(report) ?? Promise.resolve(nothing);
    },
  });
  return { clock, reports, link, lines };
}

test('RateLink says nothing while nothing is counted, and tells within 250 ms what all hosts count', async () => {
  const { clock, reports, link } = open();
  await clock.advance(10_000);
  equal(reports.length, 0);
  link.add([{ ...count, isOfAllHosts: false }]);
  link.add([count, { ...count, added: 4, stopMs: 7 }]);
  await clock.advance(250);
  deepEqual(reports, [{ after: '', counts: [{ ...count, added: 5, stopMs: 7 }], keys: undefined }]);
});

test('RateLink hears what others count and let go, and asks from where it was', async () => {
  const heard: unknown[] = [];
  const answers: RateAnswer[] = [{ ...nothing, after: 'e:9', counts: [count], released: ['b'] }];
  const { clock, reports, link } = open({
    exchange: async () => answers.shift() ?? nothing,
    onCounts: (counts) => heard.push(counts),
    onReleased: (keys) => heard.push(keys),
  });
  link.add([count]);
  await clock.advance(250);
  deepEqual(heard, [[count], ['b']]);
  link.add([count]);
  await clock.advance(250);
  equal(reports.at(-1)!.after, 'e:9');
});

test('RateLink looks for the fullest keys while somebody wants to know, and logs a failure once', async () => {
  let fails = true;
  let keysWanted = false;
  let looks = 0;
  const { clock, reports, lines } = open({
    hasKeys: () => true,
    listKeys: async () => {
      looks++;
      return [full];
    },
    exchange: async () => {
      if (fails) throw new Error('away');
      return { ...nothing, keysWanted };
    },
  });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) await clock.advance(500);
  };
  await pass(4_000);
  deepEqual([reports.length, lines.length, looks], [2, 1, 0]);
  fails = false;
  await pass(20_000);
  deepEqual([reports.length, looks], [12, 0]);
  keysWanted = true;
  await pass(2_500);
  deepEqual([reports.at(-1)!.keys, looks], [[full], 1]);
  keysWanted = false;
  await pass(10_000);
  equal(reports.at(-1)!.keys, undefined);
  equal(looks, 2, 'it hears with the next report that nobody looks any more');
});

test('mergeKeys takes the most that one of several processes knows', () => {
  deepEqual(mergeKeys([[full], [{ ...full, count: 1, untilMs: 5 }]]), [{ ...full, untilMs: 5 }]);
});

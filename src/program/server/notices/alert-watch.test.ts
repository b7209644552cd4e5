import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#base';
import type { Alert } from '#control';
import { createCounts, placeOfField, type SecurityEvent } from '#events';
import { AlertWatch } from './alert-watch.ts';

function createWatch(free = 1): { watch: AlertWatch; raised: Alert[]; setNow: (ms: number) => void } {
  const raised: Alert[] = [];
  let nowMs = 0;
  const watch = new AlertWatch({
    data: '/data',
    log: createLog({ level: 'error', format: 'json', write: () => {} }),
    raise: async (alert) => void raised.push(alert),
    findZoneName: (zoneId) => `${zoneId}.example`,
    now: () => nowMs,
    readFree: async () => free,
  });
  return { watch, raised, setNow: (ms) => (nowMs = ms) };
}

const events = (count: number, action = 'block'): SecurityEvent[] =>
  Array.from({ length: count }, () => ({ action, matchIndex: 0 }) as SecurityEvent);

test('AlertWatch tells a burst once a minute, measured by the hour before, whatever the clock does', () => {
  const { watch, raised, setNow } = createWatch();
  watch.noteEvents('shop', events(99));
  watch.noteEvents('shop', events(500, 'log'));
  equal(raised.length, 0);
  watch.noteEvents('shop', events(1));
  watch.noteEvents('shop', events(500));
  deepEqual(
    raised.map(({ type, subject, zoneId }) => [type, subject, zoneId]),
    [['clickhouse_alert_fw_anomaly', 'burst shop', 'shop']],
  );
  for (let minute = 1; minute <= 120; minute++) {
    setNow(minute * 60_000);
    watch.noteEvents('shop', events(300));
  }
  const before = raised.length;
  setNow(121 * 60_000);
  watch.noteEvents('shop', events(600));
  equal(raised.length, before, 'twice as much as usual is no burst');
  setNow(0);
  watch.noteEvents('shop', events(5_000));
  equal(raised.length, before + 1, 'the clock was set back');
});

test('AlertWatch tells of origins that fail and of a disk that fills', async () => {
  const { watch, raised } = createWatch(0.04);
  const row = (forwarded: number, originFailed: number) => {
    const counts = createCounts();
    counts[placeOfField.forwarded] = forwarded;
    counts[placeOfField.originFailed] = originFailed;
    return { zoneId: 'shop', minute: 0, counts };
  };
  watch.noteTraffic([row(4, 4), row(100, 20)]);
  equal(raised.length, 0);
  watch.noteTraffic([row(10, 9)]);
  match(raised[0]!.text, /^9 of 10 requests for shop\.example/);
  await watch.lookAtDisk();
  match(raised[1]!.title, /4 % are left/);
});

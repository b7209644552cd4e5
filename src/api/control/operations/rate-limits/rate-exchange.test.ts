import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { joinRateKey } from '#firewall';
import { RateExchange } from './rate-exchange.ts';

const key = joinRateKey('zone', 'rule', '=192.0.2.1');
const count = { key, requests: 10, periodMs: 10_000, added: 2, stopMs: 0, isOfAllHosts: true };
const full = { key, requests: 10, periodMs: 10_000, count: 9, untilMs: 0 };

test('RateExchange tells each host once what the others have counted since, and nothing of its own', () => {
  const exchange = new RateExchange();
  const ask = (instance: string, after: string, counts = [count]): ReturnType<RateExchange['exchange']> =>
    exchange.exchange({ instance, after, counts }, instance, 1_000);
  const first = ask('a', '');
  deepEqual(first.counts, []);
  const second = ask('b', '', []);
  deepEqual(second.counts, [count]);
  deepEqual(ask('b', second.after, []).counts, []);
  deepEqual(ask('a', first.after, []).counts, []);
  // The control plane was restarted: its cursor is from another instance.
  deepEqual(ask('c', 'before:7', []).counts, [count]);
});

test('RateExchange forgets what was said a minute ago, and hosts that are silent', () => {
  const exchange = new RateExchange();
  exchange.exchange({ instance: 'a', after: '', counts: [count], keys: [full] }, 'one', 0);
  equal(exchange.look('zone', 14_999).keys.length, 1);
  equal(exchange.look('zone', 15_000).keys.length, 0);
  const { counts } = exchange.exchange({ instance: 'b', after: '', counts: [] }, 'two', 60_000);
  deepEqual(counts, [count]);
  deepEqual(exchange.exchange({ instance: 'c', after: '', counts: [] }, 'two', 60_001).counts, []);
});

test('RateExchange says for how long a key stays stopped when a host asks', () => {
  const exchange = new RateExchange();
  const counts = [{ ...count, stopMs: 9_000 }];
  exchange.exchange({ instance: 'a', after: '', counts }, 'one', 1_000);
  const ask = (nowMs: number): number[] =>
    exchange
      .exchange({ instance: `at ${nowMs}`, after: '', counts: [] }, 'two', nowMs)
      .counts.map(({ stopMs }) => stopMs);
  deepEqual([ask(1_000), ask(3_500), ask(10_000), ask(20_000)], [[9_000], [6_500], [0], [0]]);
});

test('RateExchange shows the keys of a zone, the fullest first, and lets one go on all hosts', () => {
  const exchange = new RateExchange();
  const stopped = { ...full, key: joinRateKey('zone', 'rule', '-'), count: 1, untilMs: 9_000 };
  const other = { ...full, key: joinRateKey('other', 'rule', '=x') };
  exchange.exchange({ instance: 'a', after: '', counts: [], keys: [full, other] }, 'one', 1_000);
  const { after } = exchange.exchange(
    { instance: 'b', after: '', counts: [], keys: [stopped] },
    'two',
    1_000,
  );
  const { keys: shown } = exchange.look('zone', 1_000);
  deepEqual(
    shown.map(({ host, untilMs }) => [host, untilMs]),
    [
      ['two', 9_000],
      ['one', 0],
    ],
  );
  equal(exchange.release('other', shown[0]!.id, 1_000), undefined);
  equal(exchange.release('zone', shown[0]!.id, 1_000)?.key, stopped.key);
  equal(exchange.look('zone', 1_000).keys.length, 1);
  deepEqual(exchange.exchange({ instance: 'b', after, counts: [] }, 'two', 1_000).released, [stopped.key]);
});

test('RateExchange keeps a bounded number of counts', () => {
  const exchange = new RateExchange();
  const counts = Array.from({ length: 5_000 }, () => count);
  for (let times = 0; times < 30; times++)
    exchange.exchange({ instance: 'a', after: '', counts }, 'one', times);
  const heard = exchange.exchange({ instance: 'b', after: '', counts: [] }, 'two', 30);
  equal(heard.counts.length, 50_000);
});

test('RateExchange wants keys for some time after somebody has looked, and knows who has not said them', () => {
  const exchange = new RateExchange();
  const report = (nowMs: number, keys?: [typeof full]): boolean =>
    exchange.exchange({ instance: 'a', after: '', counts: [], keys }, 'one', nowMs).keysWanted;
  deepEqual(exchange.look('zone', -60_000), { keys: [], isComplete: true });
  equal(report(0), false);
  equal(exchange.look('zone', 100).isComplete, false);
  equal(report(200), true);
  equal(report(300, [full]), true);
  const { keys, isComplete } = exchange.look('zone', 400);
  deepEqual([keys.length, isComplete], [1, true]);
  equal(report(30_399), true);
  equal(report(30_400), false);
  deepEqual(exchange.look('zone', 30_400), { keys: [], isComplete: false });
});

import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createCounts, placeOfField, type TrafficField } from '#events';
import type { Plan } from '#rulesets';
import { TestControl } from './harness.ts';
import { makeToken } from './token-maker.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let control: TestControl;
let account: string;
beforeEach(async () => {
  control = await TestControl.open();
  account = `/accounts/${control.control.directory.accountId}`;
});
afterEach(() => control.close());

function count(fields: Partial<Record<TrafficField, number>>): number[] {
  const counts = createCounts();
  for (const [field, value] of Object.entries(fields)) counts[placeOfField[field as TrafficField]] = value;
  return counts;
}

function add(plan: Plan, agoMs: number, fields: Partial<Record<TrafficField, number>>): void {
  const minute = Math.floor((control.clock.now() - agoMs) / minuteMs);
  control.control.addTraffic([{ zoneId: control.zone(plan), minute, counts: count(fields) }]);
}

async function read(plan: Plan, query = ''): Promise<Awaited<ReturnType<TestControl['call']>>> {
  return control.call(`GET /zones/${control.zone(plan)}/traffic?${query}`);
}

test('traffic.get counts all requests of the last hour by minutes, and leaves no minute out', async () => {
  add('pro', 10 * minuteMs, {
    forwarded: 3,
    status2xx: 2,
    status5xx: 1,
    receivedBytes: 300,
    sentBytes: 9_000,
  });
  add('pro', minuteMs, {
    forwarded: 1,
    blocked: 2,
    challenged: 1,
    withEvents: 3,
    status2xx: 1,
    status4xx: 3,
  });
  add('pro', 2 * hourMs, { forwarded: 9, status2xx: 9 });
  add('free', minuteMs, { forwarded: 5, status2xx: 5 });
  const { status, result } = await read('pro');
  equal(status, 200);
  deepEqual(result.totals, {
    requests: 7,
    requests_with_events: 3,
    verdicts: { forwarded: 4, blocked: 2, challenged: 1, answered: 0, unserved: 0 },
    statuses: { '1xx': 0, '2xx': 3, '3xx': 0, '4xx': 3, '5xx': 1, none: 0 },
    received_bytes: 300,
    sent_bytes: 9_000,
  });
  equal(result.interval_seconds, 60);
  equal(result.points.length, 61);
  const at = (agoMs: number): string =>
    new Date(Math.floor((control.clock.now() - agoMs) / minuteMs) * minuteMs).toISOString();
  deepEqual([result.since, result.points[0].datetime], [at(hourMs), at(hourMs)]);
  const busy = result.points.filter(({ requests }: { requests: number }) => requests > 0);
  deepEqual(
    busy.map(({ datetime, requests }: { datetime: string; requests: number }) => [datetime, requests]),
    [
      [at(10 * minuteMs), 3],
      [at(minuteMs), 4],
    ],
  );
});

test('traffic.get chooses the interval by the range, and takes one of a few', async () => {
  add('enterprise', 5 * minuteMs, { forwarded: 1, status2xx: 1 });
  const cases: [query: string, seconds: number][] = [
    ['since=3h', 60],
    ['since=6h', 300],
    ['since=1d', 900],
    ['since=7d', 3_600],
    ['since=30d', 21_600],
    ['since=6h&interval=1h', 3_600],
    ['since=2d&interval=1m', 60],
    // Single minutes have been merged by then.
    ['since=3d&interval=1m', 3_600],
    ['since=3d&interval=1d', 86_400],
    ['since=1h&until=2999-01-01T00:00:00Z', 60],
    ['since=&until=&interval=', 60],
  ];
  for (const [query, seconds] of cases) {
    const { result } = await read('enterprise', query);
    equal(result.interval_seconds, seconds, query);
    equal(result.totals.requests, 1, query);
    equal(Date.parse(result.points[0].datetime) % (seconds * 1_000), 0, query);
  }
});

test('traffic.get shows what the plan keeps, and refuses times and intervals that it cannot read', async () => {
  const { result } = await read('free', 'since=30d');
  equal(Date.parse(result.until) - Date.parse(result.since) <= 25 * hourMs, true);
  const past = await read('free', 'since=30d&until=20d');
  deepEqual([past.status, past.result.points, past.result.totals.requests], [200, [], 0]);
  for (const [query, code, message] of [
    ['since=yesterday', 11102, /since must be a time/],
    ['since=1h&until=2h', 11102, /since must be before until/],
    ['interval=2m', 11109, /interval must be one of 1m, 5m, 15m, 1h, 6h, 1d: "2m"/],
    ['interval=constructor', 11109, /one of/],
  ] as const) {
    const { status, errors } = await read('free', query);
    deepEqual([status, errors[0]!.code], [400, code], query);
    match(errors[0]!.message, message);
  }
});

test('traffic.record adds what an edge counted, once for each batch', async () => {
  const { headers } = await makeToken(control, { groups: ['Account Edge Write'] });
  const zone_id = control.zone('pro');
  const minute = Math.floor(control.clock.now() / minuteMs);
  const send = (batch: string, zoneId = zone_id) =>
    control.call(`POST ${account}/edge/traffic`, {
      headers,
      body: { batch, rows: [{ zone_id: zoneId, minute, counts: count({ blocked: 2, status4xx: 2 }) }] },
    });
  deepEqual((await send('edge-1')).result, { rows: 1 });
  equal((await send('edge-1')).status, 200);
  equal((await send('edge-2')).status, 200);
  equal((await send('edge-3', 'f'.repeat(32))).status, 200);
  equal((await read('pro')).result.totals.verdicts.blocked, 4);
  const bad = await control.call(`POST ${account}/edge/traffic`, {
    headers,
    body: { batch: 'edge-4', rows: [{ zone_id, minute, counts: [-1] }] },
  });
  equal(bad.status, 400);
  control = await control.restart();
  equal((await read('pro')).result.totals.verdicts.blocked, 4);
});

test('a deleted zone has no counts left, also if it is created again', async () => {
  const id = control.zone('pro');
  const { result: zone } = await control.call(`GET /zones/${id}`);
  add('pro', 0, { forwarded: 1, status2xx: 1 });
  equal((await control.call(`GET /zones/${id}/traffic`)).result.totals.requests, 1);
  await control.control.files?.traffic.write();
  equal((await control.call(`DELETE /zones/${id}`)).status, 200);
  equal((await control.call(`GET /zones/${id}/traffic`)).status, 404);
  equal((await control.countActivity(id)).spans, 0);
  const made = await control.call('POST /zones', {
    body: { name: zone.name, account: { id: account.slice('/accounts/'.length) } },
  });
  equal((await control.call(`GET /zones/${made.result.id}/traffic`)).result.totals.requests, 0);
});

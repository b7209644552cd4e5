import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createEvent } from '../../src/traffic/events/testing.ts';
import { TestControl } from './harness.ts';
import { makeToken } from './token-maker.ts';

let control: TestControl;
let account: string;
beforeEach(async () => {
  control = await TestControl.open();
  account = `/accounts/${control.control.directory.accountId}`;
});
afterEach(() => control.close());

const edgeToken = { groups: ['Account Edge Write'] } as const;

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
type Line = any;

async function openFeed(headers: Readonly<Record<string, string>>): Promise<AsyncIterator<string>> {
  const { status, body } = await control.control.answer({
    method: 'GET',
    target: `/client/v4${account}/edge/feed`,
    headers,
    address: '127.0.0.1',
    readBody: async () => new Uint8Array(),
  });
  equal(status, 200);
  return (body as AsyncIterable<string>)[Symbol.asyncIterator]();
}

async function next(feed: AsyncIterator<string>): Promise<Line> {
  const { value, done } = await feed.next();
  return done === true ? 'over' : value === '\n' ? 'beat' : JSON.parse(value);
}

test('edge.feed sends the account, the OWASP rules, every zone, then complete, then changed, created and deleted zones', async () => {
  const { headers } = await makeToken(control, edgeToken);
  const feed = await openFeed(headers);
  const zones = [...control.control.directory.zones.keys()];
  equal((await next(feed)).kind, 'account');
  const { kind, rules } = await next(feed);
  deepEqual([kind, rules.version], ['core-rules', '1.0.0']);
  const { zones: named } = await next(feed);
  deepEqual(
    named.map(({ id }: Line) => id),
    zones,
  );
  const told: string[] = [];
  for (const _ of zones) told.push((await next(feed)).configuration.zone.id);
  deepEqual(told, zones);
  deepEqual(await next(feed), { kind: 'complete' });

  const zone = control.zone('pro');
  await control.call(`POST /zones/${zone}/firewall/rules`, {
    body: [{ action: 'block', filter: { expression: 'ip.src eq 192.0.2.1' } }],
  });
  const changed = await next(feed);
  deepEqual([changed.configuration.zone.id, changed.configuration.firewallRules.length], [zone, 1]);

  const made = await control.call('POST /zones', {
    body: { name: 'fresh.example', account: { id: account.slice(10) } },
  });
  for (let line = await next(feed); line.configuration?.zone.name !== 'fresh.example';)
    line = await next(feed);
  await control.call(`DELETE /zones/${made.result.id}`);
  for (let line = await next(feed); line.kind !== 'removed';) line = await next(feed);
  await feed.return?.();
});

test('edge.feed sends heartbeats, and ends when its token becomes invalid or the server closes', async () => {
  const { headers, id } = (await makeToken(control, edgeToken)) as {
    headers: Record<string, string>;
    id: string;
  };
  const feed = await openFeed(headers);
  while ((await next(feed)).kind !== 'complete');
  const beat = next(feed);
  await control.clock.advance(15_000);
  equal(await beat, 'beat');
  await control.call(`DELETE /user/tokens/${id}`);
  let last: Line;
  do last = await next(feed);
  while (last !== 'over');
  equal(last, 'over');

  const other = await openFeed((await makeToken(control, edgeToken)).headers);
  while ((await next(other)).kind !== 'complete');
  const end = next(other);
  control.control.endStreams();
  equal(await end, 'over');
});

test('edge.record puts events into the log of the zone, once', async () => {
  const zone = control.zone('enterprise');
  const id = '0123456789abcdef-TEST-0';
  const datetime = new Date(control.clock.now()).toISOString();
  const event = createEvent(id, { datetime, rayName: '0123456789abcdef-TEST', ruleId: 'rule' });
  const judged = { version: 7, steps: [], rules: [] };
  const { headers } = await makeToken(control, edgeToken);
  for (let count = 0; count < 2; count++) {
    const { status, result } = await control.call(`POST ${account}/edge/events`, {
      headers,
      body: { zone_id: zone, events: [{ event, judged }] },
    });
    deepEqual([status, result], [200, { count: 1 }]);
  }
  const { result: events } = await control.call(`GET /zones/${zone}/security/events`);
  deepEqual(events, [event]);
  const { result } = await control.call(`GET /zones/${zone}/security/events/${id}/explain`);
  equal(result.explanation.version, 7);
});

test('edge.record refuses invalid events, and names the field', async () => {
  const zone_id = control.zone('enterprise');
  const event = createEvent('0123456789abcdef-TEST-0');
  const wrong: readonly (readonly [object, string])[] = [
    [{ ...event, id: 'x' }, '/events/0/event/id'],
    [{ ...event, datetime: 'yesterday' }, '/events/0/event/datetime'],
    [{ ...event, edgeResponseStatus: '403' }, '/events/0/event/edgeResponseStatus'],
    [{ ...event, userAgent: 'x'.repeat(5_000) }, '/events/0/event/userAgent'],
    [{ ...event, metadata: [{ key: 1 }] }, '/events/0/event/metadata'],
    [{ ...event, metadata: 'none' }, '/events/0/event/metadata'],
    [{}, '/events/0/event/id'],
  ];
  for (const [given, pointer] of wrong) {
    const { status, errors } = await control.call(`POST ${account}/edge/events`, {
      body: { zone_id, events: [{ event: given }] },
    });
    deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [400, 11002, pointer]);
  }
  const { status, errors } = await control.call(`POST ${account}/edge/events`, {
    body: { zone_id, events: [{ event, judged: { text: 'x'.repeat(600_000) } }] },
  });
  equal(status, 400);
  match(errors[0]!.message, /at most/);
  const { status: unknown } = await control.call(`POST ${account}/edge/events`, {
    body: { zone_id: 'f'.repeat(32), events: [{ event }] },
  });
  equal(unknown, 404);
  const { result } = await control.call(`GET /zones/${zone_id}/security/events`);
  deepEqual(result, []);
  ok(Object.keys(event).length > 20);
});

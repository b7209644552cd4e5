import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { TestControl } from './harness.ts';
import { eventId, SecurityZone } from './security-zone.ts';
import { makeToken } from './token-maker.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

let control: TestControl;
let zone: SecurityZone;
beforeEach(async () => {
  control = await TestControl.open();
  zone = new SecurityZone(control, 'enterprise');
});
afterEach(() => control.close());

test('security.list searches a time range, the last hour by default', async () => {
  await zone.record([
    { number: 1, agoMs: 2 * hourMs },
    { number: 2, agoMs: 30 * minuteMs },
    { number: 3, agoMs: 5 * minuteMs },
  ]);
  const at = (agoMs: number) => new Date(control.clock.now() - agoMs).toISOString();
  deepEqual(await zone.found(''), [3, 2]);
  deepEqual(await zone.found('order=oldest'), [2, 3]);
  deepEqual(await zone.found('since=15m'), [3]);
  deepEqual(await zone.found('since=1d&until=10m'), [2, 1]);
  deepEqual(await zone.found(`since=${at(3 * hourMs)}&until=${at(hourMs)}`), [1]);
  deepEqual(await zone.found('since=&until='), [3, 2]);
});

test('security.list takes any number of conditions, NOT among them', async () => {
  await zone.record([
    { number: 1, action: 'log', clientRequestPath: '/admin/a', edgeResponseStatus: 200 },
    { number: 2, action: 'block', clientRequestPath: '/admin/b', clientIP: '2001:db8::1' },
    { number: 3, action: 'skip', clientRequestPath: '/', edgeResponseStatus: 500 },
  ]);
  const cases: [query: string, found: number[]][] = [
    ['where=action:eq:block', [2]],
    ['where=action:neq:block', [3, 1]],
    ['where=action:in:block,skip', [3, 2]],
    ['where=action:notin:block,skip', [1]],
    ['where=edgeResponseStatus:geq:403', [3, 2]],
    ['where=edgeResponseStatus:lt:403', [1]],
    ['where=clientRequestPath:like:/admin/%25', [2, 1]],
    ['where=clientRequestPath:notlike:%25ADMIN%25', [3]],
    ['where=clientIP:eq:2001:db8::1', [2]],
    ['where=clientRequestPath:like:/admin/%25&where=action:neq:log', [2]],
    ['where=datetime:leq:2000-01-01T00:00:00Z', []],
    [
      `expression=${encodeURIComponent('ip.src in {192.0.2.0/24} and not http.request.uri.path contains "admin"')}`,
      [3],
    ],
    [`where=action:eq:log&expression=${encodeURIComponent('http.response.code eq 200')}`, [1]],
  ];
  for (const [query, found] of cases) deepEqual(await zone.found(query), found, query);
});

test('security.list says what is wrong with a search, and how to mend it', async () => {
  const cases: [query: string, code: number, message: RegExp][] = [
    ['since=yesterday', 11102, /since must be a time like .*"yesterday"/],
    ['until=15y', 11102, /until must be/],
    ['since=1m&until=1h', 11102, /since must be before until/],
    ['where=action', 11103, /field:operator:value/],
    ['where=acton:eq:a', 11103, /there is no field "acton".*action/],
    ['where=__proto__:eq:a', 11103, /there is no field/],
    ['where=action:is:a', 11103, /there is no operator "is": use eq, neq/],
    ['where=edgeResponseStatus:eq:many', 11103, /whole number/],
    ['where=datetime:geq:soon', 11103, /a time/],
    [`where=action:in:${'a,'.repeat(1_001)}`, 11103, /1000 values/],
    [
      'expression=http.cookie eq "a"',
      11104,
      /\n {0}http\.cookie eq "a"\n\^{11} unknown identifier\nhint: events do not store/,
    ],
    ['expression=ssl and', 11104, /\^/],
    ['cursor=hello', 11105, /not one that this server returned/],
    ['cursor=____', 11105, /not one that this server returned/],
    [`${'where=action:eq:a&'.repeat(51)}`, 10027, /at most 50/],
    ['order=random', 10027, /newest, oldest/],
  ];
  for (const [query, code, message] of cases) {
    const { status, errors } = await zone.call(`GET ${zone.events}?${query}`);
    deepEqual([status, errors[0]?.code], [400, code], query.slice(0, 80));
    match(errors[0]!.message, message);
  }
});

test('security.list pages by a cursor, also when events come and go', async () => {
  await zone.record(Array.from({ length: 25 }, (_, index) => ({ number: index, agoMs: index % 4 })));
  const seen: string[] = [];
  let after = '';
  for (;;) {
    const page = await zone.call(`GET ${zone.events}?per_page=10&cursor=${after}`);
    equal(page.status, 200);
    seen.push(...page.result.map(({ id }: { id: string }) => id));
    const { cursors } = page.result_info as { cursors: { after?: string } };
    if (cursors.after === undefined) break;
    ({ after } = cursors);
    await zone.record([{ number: 100 + seen.length, agoMs: -1 }]);
  }
  equal(seen.length, 25);
  equal(new Set(seen).size, 25);
});

test('security.summarize counts by fields and by time', async () => {
  await zone.record([
    { number: 1, action: 'log', agoMs: 20 * minuteMs },
    { number: 2, action: 'block', ruleId: 'a', agoMs: minuteMs },
    { number: 3, action: 'block', ruleId: 'b', agoMs: minuteMs },
    { number: 4, action: 'block', ruleId: 'b', agoMs: minuteMs },
  ]);
  const summary = async (query: string) => (await zone.call(`GET ${zone.events}/summary?${query}`)).result;
  deepEqual(await summary(''), {
    total: 4,
    groups: [{ count: 4, dimensions: {} }],
    ungrouped: 0,
    is_complete: true,
  });
  deepEqual((await summary('by=action')).groups, [
    { count: 3, dimensions: { action: 'block' } },
    { count: 1, dimensions: { action: 'log' } },
  ]);
  const limited = await summary('by=action&by=ruleId&limit=1&where=action:eq:block');
  deepEqual(
    [limited.total, limited.groups],
    [3, [{ count: 2, dimensions: { action: 'block', ruleId: 'b' } }]],
  );
  deepEqual((await summary('interval=15m')).groups, [
    { count: 1, datetime: '2025-12-31T23:30:00Z', dimensions: {} },
    { count: 3, datetime: '2025-12-31T23:45:00Z', dimensions: {} },
  ]);
  for (const query of ['by=actoin', 'by=action&by=action', 'interval=often', 'interval=0s', 'interval=31d']) {
    const { status, errors } = await zone.call(`GET ${zone.events}/summary?${query}`);
    deepEqual([status, errors[0]?.code], [400, 11106], query);
  }
});

test('security.listFacets counts the values of several fields, rules with what they are called', async () => {
  await zone.record([
    { number: 1, action: 'log', agoMs: 20 * minuteMs },
    { number: 2, action: 'block', ruleId: 'a', agoMs: minuteMs },
    { number: 3, action: 'block', ruleId: 'b', agoMs: minuteMs },
    { number: 4, action: 'block', ruleId: 'b', agoMs: minuteMs },
  ]);
  const facets = (query: string) => zone.call(`GET ${zone.events}/facets?${query}`);
  const { result } = await facets('by=action&by=ruleId&limit=1&where=action:eq:block');
  deepEqual(result, {
    total: 3,
    facets: [
      { field: 'action', values: [{ value: 'block', count: 3 }] },
      { field: 'ruleId', values: [{ value: 'b', count: 2, name: 'blocks' }] },
    ],
    is_complete: true,
  });
  deepEqual((await facets('')).result, { total: 0, facets: [], is_complete: true });
  const { status, errors } = await facets('by=actoin');
  deepEqual([status, errors[0]?.code], [400, 11106]);
});

test('security.get and security.explain give an event and why it was, and 404 for one that is not there', async () => {
  const judged = { version: 12, steps: [], rules: [] };
  await zone.record([{ number: 1, metadata: [{ key: 'waf_score', value: '60' }] }], judged);
  await zone.record([{ number: 2 }]);
  const { result } = await zone.call(`GET ${zone.events}/${eventId(1)}`);
  deepEqual([result.id, result.metadata], [eventId(1), [{ key: 'waf_score', value: '60' }]]);
  const explained = await zone.call(`GET ${zone.events}/${eventId(1)}/explain`);
  deepEqual(explained.result, {
    sentence: 'Blocked: the rule "blocks" matches.',
    summary: 'block by firewallCustom rule rule: blocks',
    event: result,
    explanation: judged,
    exceptions: [],
    canBeExcepted: true,
    found: [],
    arguments: [],
  });
  equal((await zone.call(`GET ${zone.events}/${eventId(2)}/explain`)).result.explanation, null);
  for (const path of ['', '/explain']) {
    const missing = await zone.call(`GET ${zone.events}/${eventId(3)}${path}`);
    deepEqual([missing.status, missing.errors[0]!.code], [404, 11101]);
  }
  const other = new SecurityZone(control, 'pro');
  equal((await other.call(`GET ${other.events}/${eventId(1)}`)).status, 404);
});

test('security.list shows no more than the retention of the plan, and events are deleted after it', async () => {
  const pro = new SecurityZone(control, 'pro');
  await pro.record([
    { number: 1, agoMs: 25 * hourMs },
    { number: 2, agoMs: 23 * hourMs },
  ]);
  deepEqual(await pro.found('since=30d'), [2]);
  await zone.record([{ number: 3, agoMs: 29 * dayMs }]);
  deepEqual(await zone.found('since=30d'), [3]);
  await control.clock.advance(2 * dayMs);
  equal((await zone.call(`GET ${zone.events}/${eventId(3)}`)).status, 404);
});

test('the activity log is deleted with its zone', async () => {
  await zone.record([{ number: 1 }]);
  equal((await zone.call(`DELETE /zones/${zone.id}`)).status, 200);
  await zone.record([{ number: 2 }]);
  equal((await control.countActivity(zone.id)).events, 0);
});

test('the activity log is read with Analytics Read on the zone, and with nothing less', async () => {
  await zone.record([{ number: 1 }]);
  const allowed = await makeToken(control, { groups: ['Analytics Read'], on: [`zone.${zone.id}`] });
  const elsewhere = await makeToken(control, {
    groups: ['Analytics Read'],
    on: [`zone.${control.zone('free')}`],
  });
  for (const path of ['', '/summary', `/${eventId(1)}`, `/${eventId(1)}/explain`]) {
    equal((await zone.call(`GET ${zone.events}${path}`, { headers: allowed.headers })).status, 200, path);
    equal((await zone.call(`GET ${zone.events}${path}`, { headers: elsewhere.headers })).status, 403, path);
  }
});

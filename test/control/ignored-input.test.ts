/** Input that the server does not use is refused, or reported in the messages of the response. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { FirewallZone } from './firewall-zone.ts';
import { type Envelope, TestControl } from './harness.ts';

let control: TestControl;
let pro: FirewallZone;
let filterId: string;
beforeEach(async () => {
  control = await TestControl.open();
  pro = new FirewallZone(control, 'pro');
  filterId = (await pro.filter({ expression: 'ssl', description: 'secure' })).id;
});
afterEach(() => control.close());

const codes = ({ messages }: Envelope) => messages.map(({ code }) => code);

test('firewallRules.create refuses an expression beside filter.id that the filter does not have', async () => {
  const before = await pro.state();
  const create = (filter: object) => pro.call(`POST ${pro.rules}`, [{ action: 'block', filter }]);
  const refused = await create({ id: filterId, expression: 'not ssl' });
  deepEqual(
    [refused.status, refused.errors.map(({ code, source }) => [code, source?.pointer])],
    [400, [[10214, '/0/filter/expression']]],
  );
  deepEqual(await pro.state(), before);
  // The same expression, or an empty one, does not contradict the id.
  const same = await create({ id: filterId, expression: ' ssl ', description: 'secure', paused: false });
  deepEqual([same.status, same.messages], [200, []]);
});

test('firewallRules.create and update report the fields of the filter that they ignore', async () => {
  const filter = { id: filterId, paused: true, description: 'other', ref: 'r', deleted: true };
  const made = await pro.call(`POST ${pro.rules}`, [{ action: 'block', filter }]);
  deepEqual([made.status, codes(made)], [200, [10215]]);
  match(made.messages[0]!.message, new RegExp(`/0/filter.*${filterId}.*paused, description, ref, deleted`));
  const [rule] = made.result;
  const back = await pro.call(`PUT ${pro.rules}/${rule.id}`, rule);
  deepEqual([back.status, back.messages], [200, []]);
  const updated = await pro.call(`PUT ${pro.rules}`, [
    { ...rule, filter: { ...rule.filter, expression: 'not ssl' } },
  ]);
  deepEqual([updated.status, codes(updated)], [200, [10215]]);
  match(updated.messages[0]!.message, new RegExp(`/0/filter.*${filterId}.*expression`));
  equal(updated.result[0].filter.expression, 'ssl');
});

test('firewallRules.create and update report that the server sets ids and times', async () => {
  const sent = { id: '1'.repeat(32), created_on: '2020-01-01T00:00:00Z', modified_on: '' };
  const made = await pro.call(`POST ${pro.rules}`, [{ ...sent, action: 'block', filter: { id: filterId } }]);
  deepEqual([made.status, codes(made)], [200, [10216]]);
  match(made.messages[0]!.message, /\/0.*: id, created_on/);
  const [rule] = made.result;
  const updated = await pro.call(`PUT ${pro.rules}/${rule.id}`, { ...rule, created_on: sent.created_on });
  deepEqual([updated.status, codes(updated)], [200, [10216]]);
  match(updated.messages[0]!.message, /: created_on/);
});

test('filters.create reports that the server sets ids', async () => {
  const made = await pro.call(`POST ${pro.filters}`, [{ id: '1'.repeat(32), expression: 'true' }]);
  deepEqual([made.status, codes(made)], [200, [10111]]);
  match(made.messages[0]!.message, /\/0/);
});

test('filters and firewallRules refuse a parameter of the query that they do not know', async () => {
  const before = await pro.state();
  for (const [route, name] of [
    [`GET ${pro.rules}?ref=r1`, 'ref'],
    [`GET ${pro.rules}?priority=1&page=1`, 'priority'],
    [`GET ${pro.filters}?priority=1`, 'priority'],
    [`GET ${pro.filters}?action=block`, 'action'],
    [`POST ${pro.filters}?dry_run=true`, 'dry_run'],
    [`POST ${pro.rules}?dry_run=true`, 'dry_run'],
    [`PUT ${pro.filters}?dry_run=true`, 'dry_run'],
    [`PATCH ${pro.rules}?dry_run=true`, 'dry_run'],
    [`DELETE ${pro.filters}?ids=${filterId}`, 'ids'],
    [`DELETE ${pro.rules}?ids=${filterId}`, 'ids'],
  ] as const) {
    const { status, errors } = await pro.call(route, route.startsWith('P') ? [] : undefined);
    deepEqual([status, errors.map(({ code }) => code)], [400, [10027]], route);
    match(errors[0]!.message, new RegExp(`\\b${name}\\b`));
  }
  deepEqual(await pro.state(), before);
  const both = await pro.call(`GET ${pro.rules}?ref=r1&priority=1&page=x`);
  equal(both.errors.length, 3);
  // Clients send empty parameters, which are ignored.
  equal((await pro.call(`GET ${pro.rules}?ref=&cursors%5BAfter%5D=`)).status, 200);
});

test('a target over the limit is answered 414, whatever it would lead to', async () => {
  for (const path of ['/filters/validate-expr?expression=', '/nowhere/', '/zones?name=']) {
    const long = await pro.call(`GET ${path}${'a'.repeat(16 * 1024)}`);
    deepEqual([long.status, long.errors.map(({ code }) => code)], [414, [10414]]);
    match(long.errors[0]!.message, /16384/);
  }
  const fits = '/client/v4/filters/validate-expr?expression=true'.padEnd(16 * 1024, '+');
  equal((await pro.call(`GET ${fits.slice('/client/v4'.length)}`)).status, 200);
});

test('fields that say nothing, and those of the answer, are no mistakes; a misspelt one is refused', async () => {
  const tools = pro.filters.replace('/filters', '');
  const lockdown = { urls: ['pro.example/a'], configurations: [{ target: 'ip', value: '192.0.2.1' }] };
  const empty = { description: null, unheard_of: null, labels: [], extra: {}, note: '' };
  const made = await pro.call(`POST ${tools}/firewall/lockdowns`, { ...lockdown, ...empty });
  deepEqual([made.status, made.result.description], [200, undefined]);
  // Clients for Go write every field of their type.
  const ssl = { id: '', editable: false, modified_on: '', value: 'full', certificate_status: '' };
  equal((await pro.call(`PATCH ${tools}/settings/ssl`, ssl)).status, 200);
  const { result: agent } = await pro.call(`POST ${tools}/firewall/ua_rules`, {
    mode: 'block',
    configuration: { target: 'ua', value: 'Bot' },
  });
  equal((await pro.call(`PUT ${tools}/firewall/ua_rules/${agent.id}`, agent)).status, 200);
  for (const [body, field] of [
    [{ ...lockdown, pausd: true }, '/pausd'],
    [{ ...lockdown, pausd: '' }, '/pausd'],
    [{ ...lockdown, enabled: false }, '/enabled'],
    [{ ...lockdown, mode: 'allow' }, '/mode'],
  ] as const) {
    const { status, errors } = await pro.call(`POST ${tools}/firewall/lockdowns`, body);
    deepEqual([status, errors[0]!.source?.pointer], [400, field]);
  }
});

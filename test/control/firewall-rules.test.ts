import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { FirewallZone, nobody, type RuleAnswer } from './firewall-zone.ts';
import { TestControl } from './harness.ts';

let control: TestControl;
let pro: FirewallZone;
let filterId: string;
beforeEach(async () => {
  control = await TestControl.open();
  pro = new FirewallZone(control, 'pro');
  filterId = (await pro.filter({ expression: 'ssl', description: 'secure' })).id;
});
afterEach(() => control.close());

const secondsAgo = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

test('firewallRules.create answers with the rule and its filter, in the key order of Cloudflare', async () => {
  const made = await pro.call(`POST ${pro.rules}`, [
    {
      action: 'bypass',
      products: ['waf', 'bic', 'waf'],
      priority: 7,
      description: 'office',
      ref: 'r',
      paused: true,
      filter: { id: filterId },
    },
    { action: 'block', filter: { id: filterId }, products: [] },
  ]);
  equal(made.status, 200);
  const [one, two] = made.result;
  match(one.created_on, secondsAgo);
  const dates = { created_on: one.created_on, modified_on: one.created_on };
  const filter = { id: filterId, expression: 'ssl', paused: false, description: 'secure' };
  const { id } = one;
  equal(
    JSON.stringify(one),
    JSON.stringify({
      ...{ id, paused: true, description: 'office', action: 'bypass', priority: 7 },
      ...{ products: ['waf', 'bic'], filter, ref: 'r', ...dates },
    }),
  );
  deepEqual(two, { id: two.id, paused: false, action: 'block', priority: null, filter, ...dates });
  deepEqual((await pro.call(`GET ${pro.rules}/${id}`)).result, one);
});

test('firewallRules.create accepts what clients send: one object, whole rules, and the action as a mode', async () => {
  const single = await pro.call(`POST ${pro.rules}`, { action: { mode: 'ban' }, filter: { id: filterId } });
  deepEqual([single.status, single.result.length, single.result[0].action], [200, 1, 'block']);
  const whole = {
    id: '',
    ref: null,
    priority: null,
    products: null,
    created_on: '0001-01-01T00:00:00Z',
    modified_on: '',
    filter: { id: filterId, expression: '', paused: false, description: '', deleted: true },
  };
  equal((await pro.call(`POST ${pro.rules}`, [{ ...whole, action: 'allow' }])).status, 200);
  equal((await pro.call(`POST ${pro.rules}`, [{ ...whole, action: { mode: 'challenge' } }])).status, 200);
  const logs = await pro.call(`POST ${pro.rules}`, [{ ...whole, action: { mode: 'simulate' } }]);
  equal(logs.errors[0]!.code, 10206);
  const strange = await pro.call(`POST ${pro.rules}`, [{ ...whole, action: { mode: 'ban', timeout: 5 } }]);
  deepEqual(strange.errors[0]!.source, { pointer: '/0/action/timeout' });
});

test('rules on one filter that differ in priority or pause are two rules, and an exact duplicate is refused', async () => {
  const rule = { action: 'block', filter: { id: filterId } };
  const first = await pro.rule(rule);
  await pro.rule({ ...rule, priority: 1 });
  const third = await pro.rule({ ...rule, paused: true });
  const { errors } = await pro.call(`POST ${pro.rules}`, [rule]);
  deepEqual([errors[0]!.code, errors[0]!.meta!.id], [10203, first.id]);
  const same = { id: third.id, action: 'block', filter: { id: filterId }, paused: false, priority: 1 };
  equal((await pro.call(`PUT ${pro.rules}/${third.id}`, same)).errors[0]!.code, 10203);
});

test('an empty list of rules, or of filters, is refused instead of doing nothing', async () => {
  for (const route of [
    `POST ${pro.rules}`,
    `PUT ${pro.rules}`,
    `PATCH ${pro.rules}`,
    `POST ${pro.filters}`,
  ]) {
    const { status, errors } = await pro.call(route, []);
    deepEqual([status, errors.length], [400, 1], route);
    match(errors[0]!.message, /must have 1 to \d+ items: it has 0/);
  }
});

test('firewallRules.create refuses a wrong rule with a code and a pointer, and keeps nothing of the call', async () => {
  const existing = await pro.rule({ action: 'bypass', products: ['waf', 'bic'], filter: { id: filterId } });
  const before = await pro.state();
  const good = { action: 'allow', filter: { id: filterId } };
  const filter = { id: filterId };
  const refusals: [object, number, string, string?][] = [
    [{ action: 'block', products: ['waf'], filter }, 10207, '/1'],
    [{ action: 'bypass', filter }, 10208, '/1'],
    [{ action: 'bypass', products: [], filter }, 10208, '/1'],
    [{ action: 'log', filter }, 10206, '/1/action'],
    [{ action: 'block', filter: { id: nobody } }, 10204, '/1/filter/id'],
    [{ action: 'block', filter: { description: 'neither' } }, 10205, '/1/filter'],
    [{ action: 'bypass', products: ['bic', 'waf'], filter }, 10203, '/1', existing.id],
    [good, 10212, '/1'],
    [{ action: 'blok', filter }, 10026, '/1/action'],
    [{ action: 'block' }, 10026, '/1/filter'],
    [{ filter }, 10026, '/1/action'],
    [{ action: 'bypass', products: ['WAF'], filter }, 10026, '/1/products/0'],
    [{ action: 'block', filter, priority: -1 }, 10026, '/1/priority'],
    [{ action: 'block', filter, priority: 2 ** 31 }, 10026, '/1/priority'],
    [{ action: 'block', filter, priority: '1' }, 10026, '/1/priority'],
    [{ action: 'block', filter, paused: 1 }, 10026, '/1/paused'],
    [{ action: 'block', filter, descripton: 'x' }, 10026, '/1/descripton'],
    [{ action: 'block', filter: { id: filterId, expresion: 'x' } }, 10026, '/1/filter/expresion'],
  ];
  for (const [wrong, code, pointer, other] of refusals) {
    const answer = await pro.call(`POST ${pro.rules}`, [good, wrong]);
    const [error] = answer.errors;
    deepEqual(
      [answer.status, error!.code, error!.source!.pointer, error!.meta?.id],
      [400, code, pointer, other],
    );
  }
  deepEqual(await pro.state(), before);
  const products = await pro.call(`POST ${pro.rules}`, [{ action: 'block', products: ['waf'], filter }]);
  equal(products.errors[0]!.message, "products is only valid for the 'bypass' action");
});

test('firewallRules.create lets one filter have many rules that do different things', async () => {
  const filter = { id: filterId };
  await pro.rule({ action: 'block', filter });
  await pro.rule({ action: 'allow', filter });
  await pro.rule({ action: 'bypass', products: ['waf'], filter });
  await pro.rule({ action: 'bypass', products: ['waf', 'hot'], filter });
  equal((await pro.allRules()).length, 4);
});

test('firewallRules.create allows log on the Enterprise plan only', async () => {
  const enterprise = new FirewallZone(control, 'enterprise');
  const { id } = await enterprise.filter({ expression: 'ssl' });
  equal((await enterprise.rule({ action: 'log', filter: { id } })).action, 'log');
  const refused = await pro.call(`POST ${pro.rules}`, [{ action: 'log', filter: { id: filterId } }]);
  match(refused.errors[0]!.message, /^firewallrules\.api\.not_entitled: .*Pro plan.*Enterprise/);
});

test('firewallRules.get and the others answer 404 with a code for a rule that does not exist', async () => {
  const body = { id: nobody, action: 'block', filter: { id: filterId } };
  for (const [route, sent] of [
    [`GET ${pro.rules}/${nobody}`, undefined],
    [`PUT ${pro.rules}/${nobody}`, body],
    [`PATCH ${pro.rules}/${nobody}`, { priority: 1 }],
    [`PUT ${pro.rules}`, [body]],
    [`PATCH ${pro.rules}`, [{ id: nobody, priority: 1 }]],
  ] as const) {
    const answer = await pro.call(route, sent);
    deepEqual([answer.status, answer.errors[0]!.code], [404, 10201], route);
  }
});

test('firewallRules.update replaces the rule: missing fields are cleared, and the filter is never edited', async () => {
  const other = await pro.filter({ expression: 'not ssl' });
  const made = await pro.rule({
    ...{ action: 'bypass', products: ['waf'], priority: 3, paused: true, description: 'd', ref: 'r' },
    filter: { id: filterId },
  });
  await control.clock.advance(61_000);
  const updated = await pro.call(`PUT ${pro.rules}/${made.id}`, {
    action: 'block',
    filter: { id: other.id, expression: 'true', paused: true, description: 'edited' },
  });
  equal(updated.status, 200);
  const { created_on, modified_on, ...rest } = updated.result;
  deepEqual(rest, { id: made.id, paused: false, action: 'block', priority: null, filter: rest.filter });
  deepEqual(rest.filter, { id: other.id, expression: 'not ssl', paused: false });
  equal(Date.parse(modified_on) - Date.parse(created_on), 61_000);
  deepEqual(await pro.call(`GET ${pro.filters}/${other.id}`).then(({ result }) => result), other);
  // What was read can be sent back.
  const back = await pro.call(`PUT ${pro.rules}/${made.id}`, updated.result);
  deepEqual([back.status, back.result.filter], [200, rest.filter]);
});

test('firewallRules.update refuses what create refuses, and another id', async () => {
  const made = await pro.rule({ action: 'block', filter: { id: filterId } });
  const other = await pro.rule({ action: 'allow', filter: { id: filterId } });
  const gone = await pro.filter({ expression: 'true' });
  await pro.call(`DELETE ${pro.filters}/${gone.id}`);
  const before = await pro.state();
  const filter = { id: filterId };
  const refusals: [object, number, string, string?][] = [
    [{ id: other.id, action: 'block', filter }, 10211, '/id'],
    [{ action: 'allow', filter }, 10203, '', other.id],
    [{ action: 'log', filter }, 10206, '/action'],
    [{ action: 'block', products: ['waf'], filter }, 10207, ''],
    [{ action: 'bypass', filter }, 10208, ''],
    [{ action: 'block', filter: { id: gone.id, deleted: true } }, 10204, '/filter/id'],
    [{ action: 'block', filter: { expression: 'ssl' } }, 10026, '/filter/id'],
  ];
  for (const [body, code, pointer, twin] of refusals) {
    const answer = await pro.call(`PUT ${pro.rules}/${made.id}`, body);
    const [error] = answer.errors;
    deepEqual(
      [answer.status, error!.code, error!.source!.pointer, error!.meta?.id],
      [400, code, pointer, twin],
    );
  }
  deepEqual(await pro.state(), before);
});

test('firewallRules.updateMany lets rules trade places, takes 25, and changes all or nothing', async () => {
  const filter = { id: filterId };
  const one = await pro.rule({ action: 'block', filter });
  const two = await pro.rule({ action: 'allow', filter });
  const traded = await pro.call(`PUT ${pro.rules}`, [
    { id: one.id, action: 'allow', filter },
    { id: two.id, action: 'block', filter },
  ]);
  equal(traded.status, 200);
  deepEqual(
    traded.result.map(({ id, action }: RuleAnswer) => [id, action]),
    [
      [one.id, 'allow'],
      [two.id, 'block'],
    ],
  );
  const single = await pro.call(`PUT ${pro.rules}`, { id: one.id, action: 'allow', filter, ref: 'x' });
  deepEqual([single.status, single.result.length], [200, 1]);
  const before = await pro.state();
  const change = { id: one.id, action: 'challenge', filter, description: 'changed' };
  for (const wrong of [
    { id: nobody, action: 'block', filter },
    { id: two.id, action: 'block', filter: { id: nobody } },
    { id: two.id, action: 'challenge', filter },
    { id: one.id, action: 'block', filter },
    { action: 'block', filter },
  ]) {
    const answer = await pro.call(`PUT ${pro.rules}`, [change, wrong]);
    equal(answer.success, false);
    deepEqual(await pro.state(), before);
  }
  const many = Array.from({ length: 26 }, () => change);
  const refused = await pro.call(`PUT ${pro.rules}`, many);
  deepEqual([refused.status, refused.errors[0]!.code], [400, 10026]);
  match(refused.errors[0]!.message, /25/);
});

test('firewallRules.edit changes the priority alone, and answers with an array of one', async () => {
  const made = await pro.rule({ action: 'block', description: 'd', filter: { id: filterId } });
  const patch = (body: object) => pro.call(`PATCH ${pro.rules}/${made.id}`, body);
  const edited = await patch({ id: made.id, priority: 9 });
  deepEqual([edited.status, edited.result], [200, [{ ...made, priority: 9 }]]);
  const before = await pro.state();
  deepEqual((await patch({})).result, edited.result);
  deepEqual(await pro.state(), before);
  deepEqual((await patch({ priority: null })).result, [made]);
  equal((await patch({ priority: 1.5 })).status, 400);
  equal((await patch({ paused: true })).status, 400);
  equal((await patch({ id: nobody, priority: 1 })).errors[0]!.code, 10211);
});

test('firewallRules.editMany changes priorities together, or none', async () => {
  const filter = { id: filterId };
  const one = await pro.rule({ action: 'block', filter });
  const two = await pro.rule({ action: 'allow', filter });
  const edited = await pro.call(`PATCH ${pro.rules}`, [
    { id: two.id, priority: 2 },
    { id: one.id, priority: 1 },
  ]);
  deepEqual(edited.result, [
    { ...two, priority: 2 },
    { ...one, priority: 1 },
  ]);
  deepEqual(await pro.allRules(), [edited.result[1], edited.result[0]]);
  deepEqual((await pro.call(`PATCH ${pro.rules}`, { id: one.id })).result, [edited.result[1]]);
  const before = await pro.state();
  for (const wrong of [
    { id: nobody, priority: 3 },
    { id: one.id, priority: 3 },
    { id: two.id, priority: 'x' },
  ]) {
    equal((await pro.call(`PATCH ${pro.rules}`, [{ id: one.id, priority: 8 }, wrong])).success, false);
    deepEqual(await pro.state(), before);
  }
});

test('firewallRules.delete keeps the filter unless told otherwise and nobody else uses it', async () => {
  const filter = { id: filterId };
  const block = await pro.rule({ action: 'block', filter });
  const allow = await pro.rule({ action: 'allow', filter });
  const challenge = await pro.rule({ action: 'challenge', filter });
  const remove = async (id: string, body?: object, query = '') => {
    const answer = await pro.call(`DELETE ${pro.rules}/${id}${query}`, body);
    equal(answer.status, 200);
    return answer.result;
  };
  deepEqual(await remove(block.id), { id: block.id });
  deepEqual(await remove(allow.id, { delete_filter_if_unused: true }), { id: allow.id });
  equal((await pro.allFilters()).length, 1);
  equal((await pro.call(`DELETE ${pro.rules}/${challenge.id}`, { id: nobody })).errors[0]!.code, 10211);
  deepEqual(await remove(challenge.id, { id: challenge.id, delete_filter_if_unused: true }), {
    id: challenge.id,
    filter: { id: filterId, deleted: true },
  });
  deepEqual([await pro.allFilters(), await pro.allRules()], [[], []]);
  deepEqual(await remove(challenge.id, { delete_filter_if_unused: true }), { id: challenge.id });
  const last = await pro.filter({ expression: 'true' });
  const byQuery = await pro.rule({ action: 'block', filter: last });
  await remove(byQuery.id, undefined, '?delete_filter_if_unused=true');
  deepEqual(await pro.allFilters(), []);
});

test('firewallRules.delete of a rule without its filter has nothing more to delete', async () => {
  const rule = await pro.rule({ action: 'block', filter: { id: filterId } });
  await pro.call(`DELETE ${pro.filters}/${filterId}`);
  const deleted = await pro.call(`DELETE ${pro.rules}/${rule.id}`, { delete_filter_if_unused: true });
  deepEqual([deleted.status, deleted.result], [200, { id: rule.id }]);
});

test('firewallRules.deleteMany takes ids from the query or the body, and filters with them', async () => {
  const ids: string[] = [];
  for (const action of ['block', 'allow', 'challenge', 'js_challenge'])
    ids.push((await pro.rule({ action, filter: { id: filterId } })).id);
  const [a, b, c, d] = ids as [string, string, string, string];
  deepEqual((await pro.call(`DELETE ${pro.rules}?id=${a}&id=${nobody}`)).result, [{ id: a }, { id: nobody }]);
  deepEqual((await pro.call(`DELETE ${pro.rules}`, { id: b })).result, [{ id: b }]);
  deepEqual((await pro.call(`DELETE ${pro.rules}`)).result, []);
  equal((await pro.allFilters()).length, 1);
  deepEqual(
    (await pro.call(`DELETE ${pro.rules}?id=${c}&id=${d}`, { delete_filter_if_unused: true })).result,
    [{ id: c }, { id: d, filter: { id: filterId, deleted: true } }],
  );
  deepEqual([await pro.allFilters(), await pro.allRules()], [[], []]);
});

test('firewallRules write rule and filter to the audit log', async () => {
  const rule = await pro.rule({ action: 'block', filter: { expression: 'true' } });
  await pro.call(`PATCH ${pro.rules}/${rule.id}`, { priority: 1 });
  await pro.call(`DELETE ${pro.rules}/${rule.id}`, { delete_filter_if_unused: true });
  const { audit } = (await pro.state()) as {
    audit: { resource: { type: string; id: string }; action: { type: string } }[];
  };
  const { id } = rule.filter;
  deepEqual(audit.map(({ resource, action }) => [action.type, resource.type, resource.id]).slice(0, 5), [
    ['delete', 'filter', id],
    ['delete', 'firewall_rule', rule.id],
    ['change', 'firewall_rule', rule.id],
    ['add', 'firewall_rule', rule.id],
    ['add', 'filter', id],
  ]);
});

/** Filters that are created inside firewall rules: the four rules of that flow, and the remaining filters. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { FirewallZone } from './firewall-zone.ts';
import { TestControl } from './harness.ts';

let control: TestControl;
let free: FirewallZone;
beforeEach(async () => {
  control = await TestControl.open();
  free = new FirewallZone(control, 'free');
});
afterEach(() => control.close());

const inline = (expression: string, action = 'block') => ({ action, filter: { expression } });

test('firewallRules.create makes filter and rule together', async () => {
  const made = await free.call(`POST ${free.rules}`, [
    { action: 'block', filter: { expression: ' ssl ', description: 'd', paused: true, ref: 'r' } },
    inline('not ssl', 'allow'),
  ]);
  equal(made.status, 200);
  const [one, two] = made.result;
  deepEqual(one.filter, { id: one.filter.id, expression: 'ssl', paused: true, description: 'd', ref: 'r' });
  deepEqual(two.filter, { id: two.filter.id, expression: 'not ssl', paused: false });
  deepEqual(
    (await free.allFilters()).map(({ id }) => id),
    [one.filter.id, two.filter.id],
  );
});

test('firewallRules.create keeps neither filter nor rule when one of them is invalid', async () => {
  const existing = await free.filter({ expression: 'true' });
  await free.rule({ action: 'allow', filter: { id: existing.id } });
  const before = await free.state();
  const refusals: [object, number, string, string?][] = [
    [inline('nosuch'), 10103, '/1/filter/expression'],
    [inline('   '), 10103, '/1/filter/expression'],
    [inline('http.host matches "a"'), 10105, '/1/filter/expression'],
    [inline('ssl', 'log'), 10206, '/1/action'],
    [inline('ssl', 'bypass'), 10208, '/1'],
    [{ ...inline('ssl'), products: ['waf'] }, 10207, '/1'],
    [inline('ssl', 'deny'), 10026, '/1/action'],
    [inline(' true '), 10202, '/1/filter', existing.id],
    [inline('not ssl', 'allow'), 10107, '/1/filter'],
  ];
  for (const [wrong, code, pointer, other] of refusals) {
    const answer = await free.call(`POST ${free.rules}`, [inline('not ssl'), wrong]);
    const [error] = answer.errors;
    deepEqual(
      [answer.status, error!.code, error!.source!.pointer, error!.meta?.id],
      [400, code, pointer, other],
    );
    equal(answer.result, null);
  }
  deepEqual(await free.state(), before);
});

test('firewallRules.create names the index of a filter that another rule uses', async () => {
  await free.rule(inline('true', 'allow'));
  const answer = await free.call(`POST ${free.rules}`, [inline('ssl'), inline('true')]);
  match(answer.errors[0]!.message, /filter at index 1.*config duplicates an already existing config/);
});

test('firewallRules.create over the quota keeps the filter without the rule, and the recommended flow continues from there', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) ids.push((await free.rule(inline(`http.host eq "${index}"`))).id);
  const refused = await free.call(`POST ${free.rules}`, [inline('ssl')]);
  deepEqual([refused.status, refused.success, refused.result], [400, false, null]);
  const left = (await free.allFilters()).at(-1)!;
  equal(left.expression, 'ssl');
  deepEqual(
    refused.errors.map(({ code, source, meta }) => ({ code, source, meta })),
    [{ code: 10209, source: { pointer: '/0' }, meta: { id: left.id } }],
  );
  deepEqual(refused.messages, [
    { code: 10210, message: `filter ${left.id}, sent at /0/filter, is kept without its rule` },
  ]);
  equal((await free.allRules()).length, 5);

  // The same call again finds the remaining filter, and does not create a second one.
  const again = await free.call(`POST ${free.rules}`, [inline('ssl')]);
  deepEqual([again.errors[0]!.code, again.errors[0]!.meta], [10209, { id: left.id }]);
  deepEqual(again.messages, refused.messages);
  equal((await free.allFilters()).length, 6);

  await free.call(`DELETE ${free.rules}/${ids[0]}`);
  const rule = await free.rule({ action: 'block', filter: { id: left.id } });
  const deleted = await free.call(`DELETE ${free.rules}/${rule.id}`);
  deepEqual(deleted.result, { id: rule.id, filter: { id: left.id, deleted: true } });
});

test('firewallRules.create over the quota with several rules creates none of them and keeps every filter', async () => {
  const { id } = await free.filter({ expression: 'true' });
  for (let index = 0; index < 3; index++) await free.rule(inline(`http.host eq "${index}"`));
  const rules = await free.allRules();
  const refused = await free.call(`POST ${free.rules}`, [
    inline('ssl'),
    { action: 'block', filter: { id } },
    inline('not ssl'),
  ]);
  equal(refused.status, 400);
  const [ssl, notSsl] = (await free.allFilters()).slice(-2);
  deepEqual([ssl!.expression, notSsl!.expression], ['ssl', 'not ssl']);
  deepEqual(refused.errors[0]!.source, { pointer: '/2' });
  deepEqual(refused.errors[0]!.meta, { id: notSsl!.id });
  match(refused.errors[0]!.message, /the zone has 3, and 3 more were sent/);
  deepEqual(
    refused.messages.map(({ message }) => message),
    [
      `filter ${ssl!.id}, sent at /0/filter, is kept without its rule`,
      `filter ${notSsl!.id}, sent at /2/filter, is kept without its rule`,
    ],
  );
  deepEqual(await free.allRules(), rules);
});

test('firewallRules.create over the quota keeps nothing when a rule of the call is invalid', async () => {
  for (let index = 0; index < 5; index++) await free.rule(inline(`http.host eq "${index}"`));
  const before = await free.state();
  const answer = await free.call(`POST ${free.rules}`, [inline('ssl'), inline('not ssl', 'log')]);
  equal(answer.errors[0]!.code, 10206);
  deepEqual(await free.state(), before);
});

test('filters that came inside of a rule refuse to be changed or deleted while a rule uses them, one by one and in bulk', async () => {
  const rule = await free.rule(inline('ssl'));
  const { id } = rule.filter;
  const ordinary = await free.filter({ expression: 'true' });
  const before = await free.state();
  const two = [
    { id: ordinary.id, expression: 'false' },
    { id, expression: 'not ssl' },
  ];
  for (const [route, body, pointer] of [
    [`PUT ${free.filters}/${id}`, { expression: 'false' }, ''],
    [`PUT ${free.filters}`, two, '/1'],
    [`DELETE ${free.filters}/${id}`, undefined, undefined],
    [`DELETE ${free.filters}?id=${ordinary.id}&id=${id}`, undefined, undefined],
    [`DELETE ${free.filters}`, [{ id: ordinary.id }, { id }], undefined],
  ] as const) {
    const answer = await free.call(route, body);
    const { code, meta, source, message } = answer.errors[0]!;
    deepEqual([answer.status, code, meta, source?.pointer], [400, 10106, { id: rule.id }, pointer], route);
    match(message, new RegExp(`filter ${id} was created together with a firewall rule`));
  }
  deepEqual(await free.state(), before);
});

test('filters that came inside of a rule are protected by each rule that uses them, whichever it is', async () => {
  const rule = await free.rule(inline('ssl'));
  const { id } = rule.filter;
  await free.call(`DELETE ${free.rules}/${rule.id}`, { delete_filter_if_unused: false });
  const other = await free.rule({ action: 'allow', filter: { id } });
  const refused = await free.call(`DELETE ${free.filters}/${id}`);
  deepEqual([refused.errors[0]!.code, refused.errors[0]!.meta], [10106, { id: other.id }]);
  const next = await free.filter({ expression: 'not ssl' });
  await free.call(`PUT ${free.rules}/${other.id}`, { action: 'allow', filter: { id: next.id } });
  equal((await free.call(`DELETE ${free.filters}/${id}`)).status, 200);
});

test('filters that came inside of a rule can serve further rules, and go with the last', async () => {
  const first = await free.rule(inline('ssl'));
  const { id } = first.filter;
  const second = await free.rule({ action: 'allow', filter: { id } });
  const remove = (rule: string) => free.call(`DELETE ${free.rules}/${rule}`);
  deepEqual((await remove(first.id)).result, { id: first.id });
  deepEqual((await remove(second.id)).result, { id: second.id, filter: { id, deleted: true } });
});

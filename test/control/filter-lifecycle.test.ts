/** Filters and the rules that use them, over time: repeated, orphaned, reused, protected. */
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
const remove = (rule: string, body?: object) => free.call(`DELETE ${free.rules}/${rule}`, body);
/** A filter that was created inside a rule and outlived it. */
async function leaveFilter(expression: string): Promise<string> {
  const rule = await free.rule(inline(expression));
  await remove(rule.id, { delete_filter_if_unused: false });
  return rule.filter.id;
}

test('firewallRules.create works again and again after the rule is deleted, one by one and in bulk', async () => {
  for (let round = 0; round < 12; round++) {
    const rule = await free.rule(inline('ssl'));
    const { id } = rule.filter;
    deepEqual((await remove(rule.id)).result, { id: rule.id, filter: { id, deleted: true } });
    const two = await free.call(`POST ${free.rules}`, [inline('ssl'), inline('not ssl')]);
    equal(two.status, 200);
    const ids = two.result.map((each: { id: string }) => `id=${each.id}`);
    equal((await free.call(`DELETE ${free.rules}?${ids.join('&')}`)).status, 200);
    deepEqual(await free.allFilters(), []);
  }
});

test('a filter that came inside of a rule stays when the deletion says so, and is then like any other', async () => {
  const id = await leaveFilter('ssl');
  const changed = await free.call(`PUT ${free.filters}/${id}`, { expression: 'not ssl', description: 'd' });
  deepEqual(changed.result, { id, paused: false, description: 'd', expression: 'not ssl' });
  const bulk = await free.call(`PUT ${free.filters}`, [{ id, expression: 'ssl' }]);
  deepEqual(bulk.result, [{ id, paused: false, expression: 'ssl' }]);
  deepEqual((await free.call(`DELETE ${free.filters}/${id}`)).result, { id });
  deepEqual(await free.allFilters(), []);
});

test('a filter of the filters interface stays when its last rule goes', async () => {
  const filter = await free.filter({ expression: 'ssl' });
  const rule = await free.rule({ action: 'block', filter: { id: filter.id } });
  deepEqual((await remove(rule.id)).result, { id: rule.id });
  deepEqual(await free.allFilters(), [filter]);
});

test('firewallRules.create adopts a filter that no rule uses, and says so', async () => {
  const left = await leaveFilter('ssl');
  const own = await free.filter({ expression: 'not ssl', description: 'mine', ref: 'r', paused: true });
  const made = await free.call(`POST ${free.rules}`, [
    { action: 'block', filter: { expression: ' ssl ', description: 'now', paused: true } },
    inline('not ssl', 'allow'),
  ]);
  equal(made.status, 200);
  const [one, two] = made.result;
  deepEqual(one.filter, { id: left, expression: 'ssl', paused: true, description: 'now' });
  // Fields that the call omits stay; those that it sends are in force.
  deepEqual(two.filter, {
    ...{ id: own.id, expression: 'not ssl', paused: false },
    ...{ description: 'mine', ref: 'r' },
  });
  deepEqual(
    made.messages.map(({ code, message }) => [code, /filter ([0-9a-f]{32})/.exec(message)?.[1]]),
    [
      [10213, left],
      [10213, own.id],
    ],
  );
  equal((await free.allFilters()).length, 2);
  // One was created inside a rule and is deleted with it, the other was not.
  await free.call(`DELETE ${free.rules}?id=${one.id}&id=${two.id}`);
  deepEqual(
    (await free.allFilters()).map(({ id }) => id),
    [own.id],
  );
});

test('firewallRules.create adopts no filter that another rule uses, stored or in the same call', async () => {
  const used = await free.rule(inline('ssl'));
  const own = await free.filter({ expression: 'not ssl' });
  const byId = { action: 'allow', filter: { id: own.id } };
  const before = await free.state();
  for (const [body, code, pointer, id] of [
    [[inline('ssl', 'allow')], 10202, '/0/filter', used.filter.id],
    [[byId, inline('not ssl')], 10202, '/1/filter', own.id],
    [[inline('not ssl'), byId], 10202, '/0/filter', own.id],
    [[inline('not ssl'), inline('not ssl', 'allow')], 10107, '/1/filter', undefined],
  ] as const) {
    const { errors } = await free.call(`POST ${free.rules}`, body);
    deepEqual(
      errors.map((error) => [error.code, error.source?.pointer, error.meta?.id]),
      [[code, pointer, id]],
    );
  }
  deepEqual(await free.state(), before);
});

test('firewallRules.create over the quota does not change a filter that it would have adopted', async () => {
  const own = await free.filter({ expression: 'ssl', description: 'mine', paused: true });
  for (let index = 0; index < 5; index++) await free.rule(inline(`http.host eq "${index}"`));
  const before = await free.state();
  const refused = await free.call(`POST ${free.rules}`, [
    { action: 'block', filter: { expression: 'ssl', description: 'other' } },
  ]);
  deepEqual([refused.errors[0]!.code, refused.errors[0]!.meta], [10209, { id: own.id }]);
  deepEqual(
    refused.messages.map(({ code }) => code),
    [10210],
  );
  deepEqual(await free.state(), before);
});

test('a zone full of filters that were left behind can be emptied, and used meanwhile', async () => {
  for (let index = 0; index < 5; index++) await free.rule(inline(`http.host eq "kept-${index}"`));
  for (let made = 0; made < 4900; made += 100) {
    const hundred = Array.from({ length: 100 }, (_, index) => inline(`http.host eq "${made + index}"`));
    equal((await free.call(`POST ${free.rules}`, hundred)).errors[0]!.code, 10209);
  }
  const [first] = await free.allRules();
  await remove(first!.id);
  const again = await free.rule(inline('http.host eq "4711"'));
  const listed = await free.call(`GET ${free.filters}?unused=true&per_page=100`);
  equal(listed.result_info!['total_count'], 4899);
  equal((await free.call(`GET ${free.filters}?unused=false`)).result_info!['total_count'], 5);
  for (;;) {
    const { result } = await free.call(`GET ${free.filters}?unused=true&per_page=100`);
    if (result.length === 0) break;
    const body = result.map(({ id }: { id: string }) => ({ id }));
    equal((await free.call(`DELETE ${free.filters}?if_unused=true`, body)).status, 200);
  }
  equal((await free.allFilters()).length, 5);
  equal((await free.call(`GET ${free.rules}/${again.id}`)).result.filter.id, again.filter.id);
});

// What cloudflare-go, and with it Terraform, sends: an empty filter beside the id, and a time of the year 1.
const goFilter = (id: string) => ({ id, expression: '', paused: false, description: '' });
const goRule = (id: string, filterId: string, action: string) => ({
  ...{ id, paused: false, description: '', action, priority: null, filter: goFilter(filterId) },
  ...{ created_on: '0001-01-01T00:00:00Z', modified_on: '0001-01-01T00:00:00Z' },
});

test('a pair of the simplified flow can be changed, replaced and destroyed by the calls that Terraform makes', async () => {
  const made = await free.rule(inline('ssl'));
  const { id } = made.filter;
  // The rule is changed in place.
  const changed = await free.call(`PUT ${free.rules}/${made.id}`, goRule(made.id, id, 'challenge'));
  deepEqual([changed.status, changed.messages], [200, []]);
  // It gets another filter, and the old one is destroyed after it.
  const next = await free.filter({ expression: 'not ssl', description: '' });
  equal((await free.call(`PUT ${free.rules}/${made.id}`, goRule(made.id, next.id, 'challenge'))).status, 200);
  deepEqual((await free.call(`DELETE ${free.filters}/${id}`)).status, 200);
  // A pair is replaced: destroyed rule first, and created filter first.
  const pair = await free.rule(inline('http.host eq "old"'));
  equal((await remove(pair.id)).status, 200);
  equal((await free.call(`DELETE ${free.filters}/${pair.filter.id}`)).status, 200);
  const filter = await free.filter({ expression: 'http.host eq "new"', paused: false, description: '' });
  const { id: _id, ...rule } = goRule('', filter.id, 'block');
  const created = await free.call(`POST ${free.rules}`, [rule]);
  deepEqual([created.status, created.messages], [200, []]);
  // Everything is destroyed.
  for (const each of await free.allRules()) equal((await remove(each.id)).status, 200);
  for (const each of await free.allFilters())
    equal((await free.call(`DELETE ${free.filters}/${each.id}`)).status, 200);
  deepEqual([await free.allRules(), await free.allFilters()], [[], []]);
});

test('filters.delete names the rules that match nothing from now on', async () => {
  const { id } = await free.filter({ expression: 'ssl' });
  const block = await free.rule({ action: 'block', filter: { id } });
  const allow = await free.rule({ action: 'allow', filter: { id }, paused: true });
  const deleted = await free.call(`DELETE ${free.filters}/${id}`);
  equal(deleted.status, 200);
  const [said] = deleted.messages;
  equal(said!.code, 10109);
  match(said!.message, new RegExp(`filter ${id} .*${block.id}.*${allow.id} \\(paused\\)`));
});

test('filters.delete and filters.deleteMany with if_unused refuse while a rule uses the filter', async () => {
  const used = await free.filter({ expression: 'ssl' });
  const idle = await free.filter({ expression: 'not ssl' });
  const rule = await free.rule({ action: 'block', filter: { id: used.id } });
  const before = await free.state();
  for (const route of [
    `DELETE ${free.filters}/${used.id}?if_unused=true`,
    `DELETE ${free.filters}?id=${idle.id}&id=${used.id}&if_unused=1`,
  ]) {
    const { status, errors } = await free.call(route);
    deepEqual([status, errors.map(({ code, meta }) => [code, meta])], [400, [[10110, { id: rule.id }]]]);
    match(errors[0]!.message, new RegExp(`${used.id}.*${rule.id}`));
  }
  // A misspelt guard would protect nothing, so it is refused, too.
  const typo = await free.call(`DELETE ${free.filters}/${used.id}?if_unsued=true`);
  deepEqual([typo.status, typo.errors[0]!.code], [400, 10027]);
  match(typo.errors[0]!.message, /if_unsued.*did you mean if_unused/);
  deepEqual(await free.state(), before);
  deepEqual((await free.call(`DELETE ${free.filters}/${idle.id}?if_unused=true`)).result, { id: idle.id });
});

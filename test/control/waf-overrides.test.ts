import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Envelope, TestControl } from './harness.ts';

const cloudflare = '1e334934fd7ae32ad705667f8c1057aa';
const absent = '0'.repeat(32);

let control: TestControl;
let overrides: string;
let groupId: string;
let ruleId: string;
beforeEach(async () => {
  control = await TestControl.open();
  const waf = `/zones/${control.zone('enterprise')}/firewall/waf`;
  overrides = `${waf}/overrides`;
  groupId = (await control.call(`GET ${waf}/packages/${cloudflare}/groups`)).result[0].id;
  ruleId = (await control.call(`GET ${waf}/packages/${cloudflare}/rules`)).result[0].id;
});
afterEach(() => control.close());

function create(rest: object = {}): Promise<Envelope> {
  const body = { urls: ['shop.enterprise.example/*'], rules: { [ruleId]: 'block' }, ...rest };
  return control.call(`POST ${overrides}`, { body });
}

test('wafOverrides.create answers with the override and its defaults, in the key order of Cloudflare', async () => {
  const { status, result } = await create();
  equal(status, 200);
  match(result.id, /^[0-9a-f]{32}$/);
  deepEqual(Object.entries(result), [
    ['id', result.id],
    ['paused', false],
    ['urls', ['shop.enterprise.example/*']],
    ['priority', 0],
    ['groups', {}],
    ['rules', { [ruleId]: 'block' }],
    ['rewrite_action', {}],
    ['description', null],
  ]);
  deepEqual((await control.call(`GET ${overrides}/${result.id}`)).result, result);
});

test('wafOverrides.create keeps everything it is given', async () => {
  const given = {
    paused: true,
    urls: ['*.enterprise.example/shop/*', 'https://enterprise.example:8443/a', '*/admin*'],
    priority: -1_000_000_000,
    groups: { [groupId]: 'disable' },
    rules: { [ruleId]: 'default' },
    rewrite_action: { default: 'block', challenge: 'simulate', disable: 'disable' },
    description: 'the shop',
  };
  const { result } = await create(given);
  deepEqual(result, { id: result.id, ...given });
});

test('wafOverrides.create takes the nulls that the SDK for Go sends', async () => {
  const { status, result } = await create({ groups: null, rewrite_action: null, description: '' });
  equal(status, 200);
  deepEqual([result.groups, result.rewrite_action, result.description], [{}, {}, null]);
});

test('wafOverrides.create refuses what the zone has not: URLs, groups, rules', async () => {
  const cases: readonly (readonly [object, string, RegExp])[] = [
    [{ urls: ['example.com/*'] }, '/urls/0', /must name a host of the zone enterprise\.example$/],
    [{ urls: ['enterprise.example/*', 'enterprise.example/ '] }, '/urls/1', /the URL must have a path/],
    [{ groups: { [absent]: 'disable' } }, `/groups/${absent}`, /there is no WAF group with this id$/],
    [{ rules: { 'a/b~c': 'disable' } }, '/rules/a~1b~0c', /there is no WAF rule with this id$/],
    [{ rules: {} }, '/rules', /needs at least one of groups and rules$/],
    [{ rules: null, groups: {} }, '/rules', /needs at least one of groups and rules$/],
  ];
  for (const [rest, pointer, message] of cases) {
    const { status, errors } = await create(rest);
    deepEqual([status, errors[0]!.code, errors[0]!.source], [400, 1104, { pointer }]);
    match(errors[0]!.message, /^wafuriconfig\.api\.invalid_config: /);
    match(errors[0]!.message, message);
  }
  deepEqual((await control.call(`GET ${overrides}`)).result, []);
});

test('wafOverrides.create refuses bodies of another shape with a pointer', async () => {
  const cases: readonly (readonly [object, string])[] = [
    [{ urls: [] }, '/urls'],
    [{ urls: 'enterprise.example/*' }, '/urls'],
    [{ urls: Array.from({ length: 101 }, () => 'enterprise.example/*') }, '/urls'],
    [{ priority: 1_000_000_001 }, '/priority'],
    [{ rules: { [ruleId]: 'on' } }, `/rules/${ruleId}`],
    [{ rewrite_action: { on: 'block' } }, '/rewrite_action/on'],
    [{ rewrite_action: { block: 'log' } }, '/rewrite_action/block'],
    [{ description: 'x'.repeat(1025) }, '/description'],
    [{ paused: 'no' }, '/paused'],
  ];
  for (const [rest, pointer] of cases) {
    const { status, errors } = await create(rest);
    deepEqual([status, errors[0]!.code, errors[0]!.source], [400, 10026, { pointer }]);
  }
});

test('wafOverrides.list gives the override that wins first, page by page', async () => {
  const { result: late } = await create({ priority: 5 });
  const { result: first } = await create({ priority: -1 });
  const { result: second } = await create({ priority: -1 });
  const listed = await control.call(`GET ${overrides}`);
  deepEqual(listed.result, [first, second, late]);
  deepEqual(listed.result_info, { page: 1, per_page: 50, count: 3, total_count: 3, total_pages: 1 });
  deepEqual((await control.call(`GET ${overrides}?page=2&per_page=2`)).result, [late]);
  deepEqual((await control.call(`GET ${overrides}?page=2`)).result, []);
});

test('wafOverrides.update replaces everything but the id', async () => {
  const { result: made } = await create({ priority: 5, description: 'x', groups: { [groupId]: 'disable' } });
  const body = {
    id: made.id,
    urls: ['enterprise.example/*'],
    rules: { [ruleId]: 'simulate' },
    rewrite_action: { block: 'challenge' },
  };
  const { status, result } = await control.call(`PUT ${overrides}/${made.id}`, { body });
  equal(status, 200);
  deepEqual(result, { ...body, paused: false, priority: 0, groups: {}, description: null });
  deepEqual((await control.call(`GET ${overrides}/${made.id}`)).result, result);
  const other = await control.call(`PUT ${overrides}/${made.id}`, { body: { ...body, id: absent } });
  deepEqual([other.status, other.errors[0]!.code, other.errors[0]!.source], [400, 1105, { pointer: '/id' }]);
  const { errors } = await control.call(`PUT ${overrides}/${made.id}`, { body: { urls: ['x.test/'] } });
  equal(errors[0]!.code, 1104);
  deepEqual((await control.call(`GET ${overrides}/${made.id}`)).result, result);
});

test('wafOverrides.delete answers the id; what is not there says so as Terraform expects', async () => {
  const { result } = await create();
  deepEqual((await control.call(`DELETE ${overrides}/${result.id}`)).result, { id: result.id });
  const body = { urls: ['enterprise.example/*'], rules: { [ruleId]: 'block' } };
  for (const [method, options] of [
    ['GET', {}],
    ['DELETE', {}],
    ['PUT', { body }],
  ] as const) {
    const { status, errors } = await control.call(`${method} ${overrides}/${result.id}`, options);
    equal(status, 404);
    deepEqual(errors, [{ code: 1103, message: 'wafuriconfig.api.not_found' }]);
  }
});

test('wafOverrides.create stops at a hundred', async () => {
  for (let count = 0; count < 100; count++) equal((await create()).status, 200);
  const { status, errors } = await create();
  equal(status, 400);
  deepEqual(errors, [{ code: 1106, message: 'wafuriconfig.api.quota_exceeded: the zone has 100 overrides' }]);
});

test('overrides need the Enterprise plan: elsewhere the list is empty and says why', async () => {
  overrides = `/zones/${control.zone('business')}/firewall/waf/overrides`;
  const reason = /^WAF overrides are not available: the Business plan .* needs the Enterprise plan$/;
  const listed = await control.call(`GET ${overrides}`);
  deepEqual([listed.status, listed.result], [200, []]);
  match(listed.messages[0]!.message, reason);
  const body = { urls: ['business.example/*'], rules: { [ruleId]: 'block' } };
  for (const [route, options] of [
    [`POST ${overrides}`, { body }],
    [`PUT ${overrides}/${absent}`, { body }],
    [`GET ${overrides}/${absent}`, {}],
    [`DELETE ${overrides}/${absent}`, {}],
  ] as const) {
    const { status, errors } = await control.call(route, options);
    deepEqual([status, errors[0]!.code], [400, 1102], route);
    match(errors[0]!.message, reason);
  }
});

import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { CompiledZone, ManagedPrograms } from '#firewall';
import { managedRulesets, legacyPackages } from '#managed';
import { requestFrom } from '#request';
import { type Envelope, TestControl } from './harness.ts';

const managedId = 'efb7b8c949ac4650a09736fc376e9aee';

let control: TestControl;
let zone: string;
let name: string;
beforeEach(async () => {
  control = await TestControl.open();
  zone = control.zone('enterprise');
  ({ name } = control.control.directory.zones.get(zone)!);
});
afterEach(() => control.close());

function trace(body: object): Promise<Envelope> {
  return control.call(`POST /zones/${zone}/security/trace`, { body });
}

async function entryPoint(phase: string, rules: readonly object[], query = ''): Promise<void> {
  const route = `PUT /zones/${zone}/rulesets/phases/${phase}/entrypoint${query}`;
  const { status, errors } = await control.call(route, { body: { rules } });
  equal(status, 200, JSON.stringify(errors));
}

test('security.trace judges as the rules are now, and shows every step and the tree of each rule', async () => {
  equal((await trace({ url: '/admin' })).result.verdict.action, 'pass');
  await entryPoint('http_request_firewall_custom', [
    { action: 'log', expression: 'ip.src in {192.0.2.0/24}', description: 'watch' },
    {
      action: 'block',
      expression: 'http.request.uri.path contains "/admin" and not http.cookie contains "staff"',
      action_parameters: { response: { status_code: 451, content: 'no', content_type: 'text/plain' } },
    },
  ]);
  const { status, result } = await trace({ url: `https://www.${name}/admin?x=1`, ip: '192.0.2.9' });
  equal(status, 200);
  deepEqual(
    [result.verdict.action, result.verdict.status, result.verdict.source],
    ['block', 451, 'firewallCustom'],
  );
  deepEqual(
    result.explanation.rules.map(({ action, description }: Record<string, string>) => [action, description]),
    [
      ['log', 'watch'],
      ['block', ''],
    ],
  );
  equal(result.explanation.rules[1].ruleId, result.verdict.rule_id);
  deepEqual(result.explanation.rules[1].tree.parts[0].matched, [{ text: '/admin', start: 0, end: 6 }]);
  const custom = result.explanation.steps.find(
    ({ phase }: { phase: string }) => phase === 'http_request_firewall_custom',
  );
  deepEqual([custom.reached, custom.ruleCount, custom.level], [2, 2, 'zone']);
  equal(result.explanation.version > 0, true);
  const staff = await trace({ url: '/admin', ip: '192.0.2.9', headers: { Cookie: 'role=staff-secret' } });
  equal(staff.result.verdict.action, 'pass');
  doesNotMatch(JSON.stringify(staff.result), /staff-secret/);
});

test('security.trace runs managed rules, exceptions and challenges, as a compiled zone does', async () => {
  await entryPoint('http_request_firewall_custom', [
    { action: 'managed_challenge', expression: 'ip.src.country eq "ZZ"' },
    { action: 'block', expression: 'ip.src.asnum eq 64500 or http.host contains "shop."' },
  ]);
  const rules = [
    {
      action: 'skip',
      expression: 'starts_with(http.request.uri.path, "/trusted")',
      action_parameters: { ruleset: 'current' },
    },
    { action: 'execute', expression: 'true', action_parameters: { id: managedId } },
  ];
  await entryPoint('http_request_firewall_managed', rules, '?waf_migration=pending&phase_two=1');
  await control.clock.advance(60_000);
  const attack = '?q=1%27%20UNION%20SELECT%20password%20FROM%20users--%20';
  const requests = [
    { url: `https://${name}/` },
    { url: `https://${name}/search${attack}` },
    { url: `https://${name}/trusted${attack}` },
    { url: `https://${name}/`, country: 'ZZ' },
    { url: `https://${name}/`, country: 'ZZ', has_clearance: true },
    { url: `https://shop.${name}/` },
    { url: `https://${name}/`, asn: 64500 },
    {
      url: `https://${name}/form`,
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `a=${attack.slice(3)}`,
    },
  ];
  const configuration = (await control.control.configurations.readConfiguration(zone))!;
  const compiled = new CompiledZone(configuration, {
    catalogue: { rulesets: managedRulesets, legacyPackages },
    programs: new ManagedPrograms(),
  });
  const verdicts: string[] = [];
  for (const { has_clearance = false, ...request } of requests) {
    const view = requestFrom({
      ip: '192.0.2.1',
      ...request,
      headers: { Host: new URL(request.url).host, ...request.headers },
    });
    const { verdict, triggered } = compiled.judge({
      view,
      clearance: has_clearance ? 'challenge' : undefined,
    });
    const { result } = await trace({ ...request, has_clearance });
    const expected = verdict.kind === 'challenge' ? verdict.challenge : verdict.kind;
    equal(result.verdict.action, expected, JSON.stringify(request));
    deepEqual(
      result.explanation.rules.map(({ ruleId, action }: Record<string, string>) => [ruleId, action]),
      triggered.map(({ ruleId, action }) => [ruleId, action]),
    );
    verdicts.push(expected);
  }
  deepEqual(verdicts, ['pass', 'block', 'pass', 'managed_challenge', 'pass', 'block', 'block', 'block']);
});

test('security.trace reads a path as the edge does, by the zone’s URL normalization', async () => {
  await entryPoint('http_request_firewall_custom', [
    { action: 'block', expression: 'http.request.uri.path contains "/admin"' },
  ]);
  const ask = async (url: string): Promise<unknown[]> => {
    const { verdict } = (await trace({ url })).result;
    return [verdict.action, verdict.status];
  };
  deepEqual(await ask('/x\\..\\admin'), ['block', 403]);
  deepEqual(await ask('/x%2fadmin'), ['block', 403]);
  deepEqual(await ask('/x/..;/y'), ['block', 400]);
  deepEqual(await ask('/admin/../x'), ['pass', undefined]);
  await control.call(`PUT /zones/${zone}/url_normalization`, { body: { type: 'cloudflare', scope: 'none' } });
  deepEqual(await ask('/admin/../x'), ['block', 403]);
  deepEqual(await ask('/x\\..\\admin'), ['pass', undefined]);
});

test('security.trace refuses descriptions of what no client could send, and points at it', async () => {
  const cases: [body: object, pointer: string][] = [
    [{ url: 'https://elsewhere.example/' }, '/url'],
    [{ url: 'ftp://x/' }, '/url'],
    [{ url: '/a b' }, '/url'],
    [{ url: '/a\r\nHost: x' }, '/url'],
    [{ url: '/', method: 'GET /x' }, '/method'],
    [{ url: '/', ip: '300.1.1.1' }, '/ip'],
    [{ url: '/', headers: { 'a b': 'c' } }, '/headers'],
    [{ url: '/', headers: { a: 'b\r\nc' } }, '/headers/a'],
    [{ url: '/', headers: { a: { b: 'c' } } }, '/headers/a'],
    [{ url: '/', headers: { a: ['b', 7] } }, '/headers/a'],
    [{ url: '/', headers: { a: Array(70).fill('x'.repeat(1_000)) } }, '/headers'],
    [{ url: '/', body: 'ü'.repeat(100_000) }, '/body'],
  ];
  for (const [body, pointer] of cases) {
    const { status, errors } = await trace(body);
    deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [400, 11108, pointer]);
    match(errors[0]!.message, /^security\.api\.invalid_request: /);
  }
});

test('security.trace changes and records nothing', async () => {
  await entryPoint('http_request_firewall_custom', [{ action: 'block', expression: 'true' }]);
  const before = await control.call(`GET /accounts/${control.control.directory.accountId}/audit_logs/verify`);
  equal((await trace({ url: '/' })).result.verdict.action, 'block');
  const audit = await control.call(`GET /accounts/${control.control.directory.accountId}/audit_logs/verify`);
  deepEqual(audit.result, before.result);
  deepEqual((await control.call(`GET /zones/${zone}/security/events`)).result, []);
});

test('security.trace tries a firewall rule before it is saved, in its place, and explains it even if it does not decide', async () => {
  const { result: saved } = await control.call(`POST /zones/${zone}/firewall/rules`, {
    body: [
      { action: 'allow', priority: 10, filter: { expression: 'http.request.uri.path eq "/open"' } },
      { action: 'block', priority: 20, filter: { expression: 'http.request.uri.path contains "o"' } },
    ],
  });
  const [allows, blocks] = saved.map(({ id }: { id: string }) => id);
  const rule = { action: 'challenge', expression: 'http.request.uri.path contains "pen"' };
  const last = (await trace({ url: '/open', firewall_rule: rule })).result;
  deepEqual([last.verdict.action, last.tried.is_match, last.tried.tree.result], ['pass', true, 'true']);
  const first = (await trace({ url: '/open', firewall_rule: { ...rule, before: allows } })).result;
  deepEqual([first.verdict.action, first.verdict.rule_id], ['challenge', 'tried']);
  const replaced = (await trace({ url: '/other', firewall_rule: { ...rule, id: blocks } })).result;
  deepEqual([replaced.verdict.action, replaced.tried.is_match], ['pass', false]);
  deepEqual(replaced.tried.tree.value, '/other');
  equal((await trace({ url: '/other' })).result.verdict.action, 'block');
  const moved = { ...rule, id: allows, before: null };
  equal((await trace({ url: '/open', firewall_rule: moved })).result.verdict.action, 'block');
  const invalid = await trace({ url: '/', firewall_rule: { ...rule, expression: 'nosuch' } });
  deepEqual([invalid.status, invalid.errors[0]!.code], [400, 10103]);
  equal(invalid.errors[0]!.source?.pointer, '/firewall_rule/expression');
});

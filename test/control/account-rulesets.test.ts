import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestControl } from './harness.ts';

const custom = 'http_request_firewall_custom';
const managed = 'http_request_firewall_managed';
const managedId = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f';
const block = { action: 'block', expression: 'ip.src eq 192.0.2.1' };
const forEnterprise = '(ssl) and cf.zone.plan eq "ENT"';

let control: TestControl;
let rulesets: string;
before(async () => {
  control = await TestControl.open();
  rulesets = `/accounts/${control.control.directory.accountId}/rulesets`;
});
after(() => control.close());

async function makeCustom(name: string): Promise<{ id: string; rules: { id: string }[] }> {
  const { status, result, errors } = await control.call(`POST ${rulesets}`, {
    body: { name, kind: 'custom', phase: custom, rules: [block] },
  });
  equal(status, 200, JSON.stringify(errors));
  return result;
}

test('a custom ruleset of the account is executed by its entry point, and stays while it is', async () => {
  const { id, rules } = await makeCustom('shared');
  const execute = { action: 'execute', expression: forEnterprise, action_parameters: { id } };
  const skip = {
    action: 'skip',
    expression: forEnterprise,
    action_parameters: { rules: { [id]: [rules[0]!.id] } },
  };
  const entryPoint = `${rulesets}/phases/${custom}/entrypoint`;
  const put = await control.call(`PUT ${entryPoint}`, { body: { rules: [skip, execute] } });
  equal(put.status, 200, JSON.stringify(put.errors));
  equal(put.result.kind, 'root');
  deepEqual(put.result.rules[1].action_parameters, { id, version: 'latest' });

  for (const query of ['', '?dry_run=true']) {
    const refused = await control.call(`DELETE ${rulesets}/${id}${query}`);
    equal(refused.status, 400);
    deepEqual(refused.errors, [
      {
        code: 20936,
        message: `rulesets.api.in_use: rule ${put.result.rules[1].id} of ruleset ${put.result.id} executes ruleset ${id}`,
        meta: { id: put.result.id },
      },
    ]);
  }
  await control.call(`PUT ${entryPoint}`, { body: { rules: [] } });
  equal((await control.call(`DELETE ${rulesets}/${id}`)).status, 204);
  const gone = await control.call(`PUT ${entryPoint}`, { body: { rules: [execute] } });
  deepEqual(
    [gone.errors[0]?.code, gone.errors[0]?.source?.pointer],
    [20910, '/rules/0/action_parameters/id'],
  );
});

test('deployments of the account are limited to Enterprise zones by their expressions', async () => {
  const { status, errors } = await control.call(`PUT ${rulesets}/phases/${managed}/entrypoint`, {
    body: { rules: [{ action: 'execute', expression: 'ssl', action_parameters: { id: managedId } }] },
  });
  equal(status, 400);
  deepEqual([errors[0]?.code, errors[0]?.source?.pointer], [20913, '/rules/0/expression']);
  const twice = ['(ssl)', '(not ssl)'].map((condition) => ({
    action: 'execute',
    expression: `${condition} and cf.zone.plan eq "ENT"`,
    action_parameters: { id: managedId },
  }));
  const put = await control.call(`PUT ${rulesets}/phases/${managed}/entrypoint`, { body: { rules: twice } });
  equal(put.status, 200, JSON.stringify(put.errors));
});

test('zones do not list the custom rulesets of their account, and send readers there', async () => {
  const { id } = await makeCustom('of the account');
  for (const plan of ['free', 'pro', 'enterprise'] as const) {
    const zone = `/zones/${control.zone(plan)}/rulesets`;
    const { result } = await control.call(`GET ${zone}`);
    // Every ruleset of the list can be read through the zone: clients do that with all of them.
    for (const ruleset of result as { id: string }[]) {
      equal((await control.call(`GET ${zone}/${ruleset.id}`)).status, 200);
    }
    ok(!result.some((ruleset: { id: string }) => ruleset.id === id));
    const get = await control.call(`GET ${zone}/${id}`);
    equal(get.status, 404);
    match(get.errors[0]!.message, new RegExp(`see ${rulesets}/${id}$`));
  }
  await control.call(`DELETE ${rulesets}/${id}`);
});

test('accountRulesets.list shows its own, then the managed ones', async () => {
  const { id } = await makeCustom('listed');
  const { result } = await control.call(`GET ${rulesets}`);
  const kinds = result.map(({ kind }: { kind: string }) => kind);
  deepEqual(
    kinds,
    kinds.toSorted((a: string, b: string) => Number(a === 'managed') - Number(b === 'managed')),
  );
  ok(result.some((ruleset: { id: string }) => ruleset.id === id));
  ok(result.some((ruleset: { id: string }) => ruleset.id === owaspId));
});

test('accountRulesets.create stops at ten custom rulesets of a phase', async () => {
  const phase = 'http_request_transform';
  const body = { name: 'x', kind: 'custom', phase, rules: [] };
  for (let n = 0; n < 10; n++) equal((await control.call(`POST ${rulesets}`, { body })).status, 200);
  const refused = await control.call(`POST ${rulesets}`, { body });
  deepEqual([refused.status, refused.errors[0]?.code], [400, 20938]);
  equal((await control.call(`POST ${rulesets}`, { body: { ...body, kind: 'root' } })).status, 200);
});

test('accountRulesets have network phases and no zone rulesets', async () => {
  const path = `${rulesets}/phases/magic_transit/entrypoint`;
  const put = await control.call(`PUT ${path}`, {
    body: { rules: [{ action: 'block', expression: 'ip.proto eq "udp"' }] },
  });
  equal(put.status, 200, JSON.stringify(put.errors));
  equal(put.messages[0]?.code, 20952);
  const refused = await control.call(`POST ${rulesets}`, {
    body: { name: 'x', kind: 'zone', phase: custom },
  });
  deepEqual([refused.errors[0]?.code, refused.errors[0]?.source?.pointer], [20905, '/kind']);
});

test('accountRulesets.getVersionByTag shows the rules of a managed ruleset that have the tag', async () => {
  const path = `${rulesets}/${owaspId}/versions`;
  const [{ version }] = (await control.call(`GET ${path}`)).result;
  const { status, result } = await control.call(`GET ${path}/${version}/by_tag/paranoia-level-2`);
  equal(status, 200);
  ok(result.rules.length > 0);
  for (const rule of result.rules) {
    ok(rule.categories.includes('paranoia-level-2'));
    ok(!('expression' in rule));
  }
  deepEqual((await control.call(`GET ${path}/${version}/by_tag/no-such-tag`)).result.rules, []);
  equal((await control.call(`GET ${path}/77777/by_tag/paranoia-level-2`)).status, 404);
  const { id } = await makeCustom('untagged');
  const own = await control.call(`GET ${rulesets}/${id}/versions/1/by_tag/x`);
  deepEqual([own.status, own.errors[0]?.code], [400, 20943]);
});

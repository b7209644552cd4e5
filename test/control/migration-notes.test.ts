/** Settings that have no effect get a message. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Envelope, TestControl } from './harness.ts';
import { execute, managedId, MigratingZone, owaspId, scores, signatures } from './migrating-zone.ts';

let control: TestControl;
let zone: MigratingZone;
beforeEach(async () => {
  control = await TestControl.open();
  zone = new MigratingZone(control, 'enterprise');
});
afterEach(() => control.close());

function told({ messages }: Envelope, code: number): readonly string[] {
  return messages.filter((message) => message.code === code).map(({ message }) => message);
}

async function migrate(): Promise<void> {
  equal((await zone.put('?waf_migration=pending&phase_two=1', { rules: [execute()] })).status, 200);
  await zone.settle();
}

test('firewall rules that bypass managed rules get a message that they have no effect, once the zone has migrated', async () => {
  const rule = { filter: { expression: 'ssl' }, action: 'bypass', products: ['waf'] };
  const before = await zone.do('POST /firewall/rules', [rule]);
  deepEqual(before.messages, []);
  const { id, filter } = before.result[0];
  await migrate();
  const others = [
    { filter: { expression: 'not ssl' }, action: 'bypass', products: ['hot'] },
    { filter: { expression: 'http.host eq "a"' }, action: 'bypass', products: ['waf', 'hot'] },
  ];
  const created = await zone.do('POST /firewall/rules', others);
  equal(created.messages.length, 1);
  match(told(created, 10744)[0]!, new RegExp(`: ${created.result[1].id}$`));
  const body = { id, filter: { id: filter.id }, action: 'bypass', products: ['waf', 'bic'] };
  match(told(await zone.do(`PUT /firewall/rules/${id}`, body), 10744)[0]!, new RegExp(`: ${id}$`));
  match(told(await zone.do('GET /firewall/rules'), 10744)[0]!, new RegExp(id));
  equal(told(await zone.do(`GET /firewall/rules/${id}`), 10744).length, 1);
  deepEqual((await zone.do(`PUT /firewall/rules/${id}`, { ...body, products: ['bic'] })).messages, []);
});

test('answers about page rules carry no messages, which released clients cannot read: the check names idle rules', async () => {
  const page = (pattern: string, action: object): object => ({
    targets: [{ target: 'url', constraint: { operator: 'matches', value: `${zone.name}${pattern}` } }],
    actions: [action],
    status: 'active',
  });
  const { id } = (await zone.do('POST /pagerules', page('/a', { id: 'waf', value: 'off' }))).result;
  await zone.bypass('ssl');
  deepEqual(told(await zone.check(), 10745), []);
  await migrate();
  const answers = [
    await zone.do('POST /pagerules', page('/b', { id: 'waf', value: 'off' })),
    await zone.do('POST /pagerules', page('/c', { id: 'disable_security' })),
    await zone.do(`PATCH /pagerules/${id}`, { priority: 7 }),
    await zone.do(`PUT /pagerules/${id}`, page('/a', { id: 'waf', value: 'on' })),
    await zone.do('GET /pagerules'),
    await zone.do(`GET /pagerules/${id}`),
  ];
  deepEqual(
    answers.flatMap(({ messages }) => messages),
    [],
  );
  const check = await zone.check();
  for (const path of ['/a', '/b', '/c']) ok(told(check, 10745)[0]!.includes(`(${zone.name}${path})`));
  equal(told(check, 10744).length, 1);
  equal(check.result.compatible, false);
});

test('custom rules that skip the legacy WAF get a message that they have no effect, once the zone has migrated', async () => {
  const custom = 'PUT /rulesets/phases/http_request_firewall_custom/entrypoint';
  const rules = [{ action: 'skip', expression: 'ssl', action_parameters: { products: ['waf'] } }];
  deepEqual((await zone.do(custom, { rules })).messages, []);
  await migrate();
  const { result, messages } = await zone.do(custom, { rules });
  deepEqual(
    messages.map(({ code, message }) => [code, message.includes(result.rules[0].id)]),
    [[10731, true]],
  );
});

test('scores that are only logged are told wherever their action is shown', async () => {
  await zone.setWaf('on');
  const packages = '/firewall/waf/packages';
  const entryPoint = '/rulesets/phases/http_request_firewall_managed/entrypoint';
  const { rules } = (await zone.config()).result;
  const askAll = async (): Promise<readonly number[]> => {
    const answers = [
      await zone.do('GET /waf_migration/config?phase_two=1'),
      await zone.do(`GET ${packages}`),
      await zone.do(`GET ${packages}/${scores}`),
      await zone.do(`PATCH ${packages}/${scores}`, { action_mode: 'block' }),
      await zone.put('?waf_migration=validation&phase_two=1', { rules }),
      await zone.do(`GET ${entryPoint}`),
    ];
    return answers.map((answer) => told(answer, 11011).length);
  };
  deepEqual(await askAll(), [0, 0, 0, 0, 0, 0]);
  await zone.do('PUT /edge', { unconfirmed_scores: 'log' });
  deepEqual(await askAll(), [1, 1, 1, 1, 1, 1]);
  // Responses without a score get no message.
  deepEqual(told(await zone.do(`GET ${packages}/${signatures}`), 11011), []);
  deepEqual(told(await zone.put('', { rules: [execute()] }), 11011), []);
});

test('validation mode without a rule in force is told, by the first step, a dry run and later updates', async () => {
  await zone.setWaf('on');
  const disabled = { ...execute(), enabled: false };
  const step = '?waf_migration=validation&phase_two=1';
  equal(told(await zone.put(`${step}&dry_run=true`, { rules: [] }), 10746).length, 1);
  match(
    told(await zone.put(step, { rules: [disabled] }), 10746)[0]!,
    /^validation mode has no new rule in force, so it compares nothing: rule 1 .*is disabled/,
  );
  deepEqual(await zone.status(), ['validation', 'enabled', 'disabled']);
  equal(told(await zone.put('', { rules: [disabled] }), 10746).length, 1);
  deepEqual(told(await zone.put(step, { rules: [execute()] }), 10746), []);
});

test('the legacy OWASP package says that its rules are not installed', async () => {
  const path = `/firewall/waf/packages/${scores}`;
  deepEqual((await zone.do(`GET ${path}`)).messages, []);
  await control.control.setCoreRules(undefined);
  match(told(await zone.do(`GET ${path}`), 1028)[0]!, /is not installed: package OWASP has no rules/);
  equal(told(await zone.do('GET /firewall/waf/packages'), 1028).length, 1);
});

test('a skip that can never act is refused, with the rule in front of which it would', async () => {
  const skip = (parameters: object): object => ({
    action: 'skip',
    expression: 'ssl',
    action_parameters: parameters,
  });
  const all = skip({ ruleset: 'current' });
  const put = await zone.put('', { rules: [all, execute()] });
  deepEqual([put.status, put.messages], [200, []]);
  const { id: rulesetId, rules } = put.result;
  const [first, second] = rules as { id: string }[];
  const late = await zone.put('', { rules: [execute(), all] });
  deepEqual([late.status, late.errors[0]!.code], [400, 20945]);
  match(late.errors[0]!.message, /rule 2 would never act: .* rule 1 \(.*\) executes what it skips before it/);
  const added = await zone.call(`POST /rulesets/${rulesetId}/rules`, skip({ rulesets: [managedId] }));
  equal(added.errors[0]!.code, 20945);
  ok(added.errors[0]!.message.includes(`rule 2 (${second!.id}) executes ${managedId}`));
  const path = `/rulesets/${rulesetId}/rules`;
  const moved = await zone.call(`PATCH ${path}/${first!.id}`, { position: { after: '' } });
  equal(moved.errors[0]!.code, 20945);
  const position = { before: second!.id };
  const placed = await zone.do(`POST ${path}`, { ...skip({ rulesets: [managedId] }), position });
  deepEqual([placed.status, told(placed, 20954)], [200, []]);
});

test('a skip of which a part comes too late gets a message', async () => {
  const parameters = { rulesets: [managedId, owaspId] };
  const skip = { action: 'skip', expression: 'ssl', action_parameters: parameters };
  const one = await zone.put('', { rules: [execute(), skip, execute(owaspId)] });
  equal(one.status, 200);
  match(told(one, 20954)[0]!, new RegExp(`^rule 2 .* does not skip ${managedId}: `));
  // The skip is not checked when its execute rule is deleted.
  const { id, rules } = one.result;
  const gone = await zone.do(`DELETE /rulesets/${id}/rules/${rules[2].id}`);
  deepEqual([gone.status, told(gone, 20954).length], [200, 1]);
});

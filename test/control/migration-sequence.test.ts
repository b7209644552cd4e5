/** The steps in which an operator migrates a zone, for each plan, and all reasons for refusal. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { legacyRules } from '#managed';
import type { Plan } from '#rulesets';
import { type Envelope, TestControl } from './harness.ts';
import { execute, managedId, MigratingZone, signatures } from './migrating-zone.ts';
import { makeToken } from './token-maker.ts';

const pending = '?waf_migration=pending&phase_two=1';
const validation = '?waf_migration=validation&phase_two=1';

let control: TestControl;
beforeEach(async () => {
  control = await TestControl.open();
});
afterEach(() => control.close());

function toRefusal({ status, errors, result }: Envelope): readonly unknown[] {
  equal(result, null);
  return [status, ...errors.map(({ code }) => code)];
}

async function furnishZone(plan: Plan): Promise<MigratingZone> {
  const zone = new MigratingZone(control, plan);
  await zone.setWaf('on');
  await zone.bypass('ip.src eq 192.0.2.1', { description: 'office' });
  await zone.page('/static/*', 'off');
  const [rule] = legacyRules.keys();
  await zone.do(`PATCH /firewall/waf/packages/${signatures}/rules/${rule!}`, { mode: 'simulate' });
  return zone;
}

/** The interfaces that stop working with a message. */
async function expectPreviousGone(zone: MigratingZone): Promise<void> {
  for (const path of ['packages', `packages/${signatures}`, `packages/${signatures}/rules`, 'overrides']) {
    const { status, errors } = await zone.call(`GET /firewall/waf/${path}`);
    deepEqual([status, errors[0]!.code], [400, 1101], path);
  }
  equal((await zone.call('PATCH /settings/waf', { value: 'off' })).status, 400);
  equal((await zone.do('GET /settings/waf')).result.editable, false);
}

for (const plan of ['pro', 'business'] as const) {
  test(`a ${plan} zone migrates in one step: check, config, update`, async () => {
    const zone = await furnishZone(plan);
    await zone.expectStatus('start', 'enabled', 'disabled');
    deepEqual((await zone.check()).result, { compatible: true, migration_state: 'start' });
    const { result: config } = await zone.config();
    const { status, result, success } = await zone.put(pending, config);
    deepEqual([status, success, result.kind, result.version], [200, true, 'zone', '1']);
    equal(result.rules.length, config.rules.length);
    ok(
      result.rules.every(
        ({ id, ref }: { id: string; ref: string }) => /^[0-9a-f]{32}$/.test(id) && ref === id,
      ),
    );
    // Both generations are in force until the legacy one is turned off.
    await zone.expectStatus('pending', 'enabled', 'enabled');
    await zone.settle();
    await zone.expectStatus('complete', 'disabled', 'enabled');
    await expectPreviousGone(zone);
    const { result: check, messages } = await zone.check();
    deepEqual([check, messages[0]!.code], [{ compatible: false, migration_state: 'complete' }, 10703]);
    deepEqual(toRefusal(await zone.call('GET /waf_migration/config?phase_two=1')), [400, 10703]);
    deepEqual(toRefusal(await zone.put(pending, config)), [400, 10703]);
    // From here on updates are ordinary ones.
    equal((await zone.put('', { rules: [execute()] })).status, 200);
  });

  test(`a ${plan} zone has no validation mode, and only disabled rules before it migrates`, async () => {
    const zone = await furnishZone(plan);
    const answer = await zone.put(validation, { rules: [execute()] });
    deepEqual(toRefusal(answer), [400, 10702]);
    match(answer.errors[0]!.message, /is not entitled to validation mode: it needs the Enterprise plan$/);
    deepEqual(toRefusal(await zone.put('', { rules: [execute()] })), [400, 20940]);
    equal((await zone.put('', { rules: [execute(managedId, { enabled: false })] })).status, 200);
    await zone.expectStatus('start', 'enabled', 'disabled');
  });
}

test('an enterprise zone tries the configuration beside the legacy one, adjusts it, and finishes', async () => {
  const zone = await furnishZone('enterprise');
  const { result: config } = await zone.config();
  const rules = config.rules as Record<string, unknown>[];
  const bare = rules.map(({ id: _id, version: _version, ref: _ref, ...rule }) => rule);
  equal((await zone.put(validation, { name: 'default', rules: bare })).status, 200);
  await zone.expectStatus('validation', 'enabled', 'enabled');
  await zone.settle();
  await zone.expectStatus('validation', 'enabled', 'enabled');
  deepEqual((await zone.check()).result, { compatible: true, migration_state: 'validation' });
  // The legacy interface still works.
  equal((await zone.call('GET /firewall/waf/packages')).status, 200);
  const log = execute(managedId, { action_parameters: { id: managedId, overrides: { action: 'log' } } });
  equal((await zone.put('?waf_migration=2&phase_two=1', { rules: [log] })).status, 200);
  const skip = { action: 'skip', expression: 'ssl', action_parameters: { ruleset: 'current' } };
  equal((await zone.put('', { rules: [skip, log] })).status, 200);
  await zone.expectStatus('validation', 'enabled', 'enabled');
  equal((await zone.put('?waf_migration=1&phase_two=1', config)).status, 200);
  await zone.settle();
  await zone.expectStatus('complete', 'disabled', 'enabled');
  await expectPreviousGone(zone);
  deepEqual(toRefusal(await zone.put(validation, config)), [400, 10703]);
});

test('an enterprise zone may skip validation, and have both generations without migrating', async () => {
  const zone = await furnishZone('enterprise');
  equal((await zone.put('', { rules: [execute()] })).status, 200);
  await zone.expectStatus('start', 'enabled', 'enabled');
  const { result: config } = await zone.config();
  equal((await zone.put(pending, config)).status, 200);
  await zone.settle();
  await zone.expectStatus('complete', 'disabled', 'enabled');
});

test('a free zone cannot migrate, because it never had the legacy WAF', async () => {
  const zone = new MigratingZone(control, 'free');
  const free = execute('77454fe2d30c4220b5701f6fdfb893ba');
  deepEqual(toRefusal(await zone.put(pending, { rules: [free] })), [400, 10702]);
  deepEqual(toRefusal(await zone.put(validation, { rules: [free] })), [400, 10702]);
  equal((await zone.put('', { rules: [free] })).status, 200);
  await zone.expectStatus('default', 'disabled', 'enabled');
});

test('the update is refused for what the query says, and nothing is stored', async () => {
  const zone = await furnishZone('enterprise');
  const body = { rules: [execute()] };
  const cases = [
    ['?waf_migration=complete&phase_two=1', 20942],
    ['?waf_migration=&phase_two=1', 20942],
    ['?waf_migration=3&phase_two=1', 20942],
    ['?waf_migration=pending&phase_two=2', 10701],
    ['?waf_migration=validation&phase_two=', 10701],
  ] as const;
  for (const [query, code] of cases) deepEqual(toRefusal(await zone.put(query, body)), [400, code], query);
  const elsewhere = `PUT /rulesets/phases/http_request_firewall_custom/entrypoint${pending}`;
  deepEqual(toRefusal(await zone.call(elsewhere, { rules: [] })), [400, 20941]);
  await zone.expectStatus('start', 'enabled', 'disabled');
  equal((await zone.call('GET /rulesets/phases/http_request_firewall_managed/entrypoint')).status, 404);
});

test('URI-based overrides refuse every step until they are deleted, in validation as well', async () => {
  const zone = await furnishZone('enterprise');
  const [rule] = legacyRules.keys();
  const override = { urls: [`${zone.name}/*`], rules: { [rule!]: 'block' } };
  const { id } = (await zone.do('POST /firewall/waf/overrides', override)).result;
  for (const query of [pending, validation]) {
    const answer = await zone.put(query, { rules: [execute()] });
    deepEqual(toRefusal(answer), [400, 10705]);
    ok(answer.errors[0]!.message.endsWith(id));
  }
  await zone.do(`DELETE /firewall/waf/overrides/${id}`);
  equal((await zone.put(validation, { rules: [execute()] })).status, 200);
  await zone.do('POST /firewall/waf/overrides', override);
  deepEqual(toRefusal(await zone.put(pending, { rules: [execute()] })), [400, 10705]);
  await zone.expectStatus('validation', 'enabled', 'enabled');
});

test('a configuration that enforces nothing is refused while the legacy rules are on', async () => {
  const zone = await furnishZone('pro');
  const bodies = [
    { rules: [] },
    { rules: [execute(managedId, { enabled: false })] },
    { rules: [execute(managedId, { action_parameters: { id: managedId, overrides: { enabled: false } } })] },
    { rules: [{ action: 'skip', expression: 'true', action_parameters: { ruleset: 'current' } }] },
  ];
  for (const body of bodies) deepEqual(toRefusal(await zone.put(pending, body)), [400, 10710]);
  await zone.expectStatus('start', 'enabled', 'disabled');
  await zone.setWaf('off');
  equal((await zone.put(pending, { rules: [] })).status, 200);
  await zone.settle();
  await zone.expectStatus('complete', 'disabled', 'disabled');
});

test('a dry run checks the step and makes none', async () => {
  const zone = await furnishZone('pro');
  deepEqual(toRefusal(await zone.put(`${pending}&dry_run=true`, { rules: [] })), [400, 10710]);
  const { status, result } = await zone.put(`${pending}&dry_run=true`, { rules: [execute()] });
  deepEqual([status, result], [200, null]);
  await zone.settle();
  await zone.expectStatus('start', 'enabled', 'disabled');
});

test('a body that is wrong leaves the zone where it was', async () => {
  const zone = await furnishZone('pro');
  const { status, errors } = await zone.put(pending, { rules: [execute('0'.repeat(32))] });
  deepEqual([status, errors[0]!.source], [400, { pointer: '/rules/0/action_parameters/id' }]);
  await zone.expectStatus('start', 'enabled', 'disabled');
});

test('the step may be repeated while it is in progress, and there is no way back', async () => {
  const zone = await furnishZone('enterprise');
  const { result: config } = await zone.config();
  equal((await zone.put(pending, config)).status, 200);
  deepEqual(toRefusal(await zone.put(validation, config)), [400, 10704]);
  equal((await zone.put(pending, config)).status, 200);
  await zone.expectStatus('pending', 'enabled', 'enabled');
  await zone.settle();
  await zone.expectStatus('complete', 'disabled', 'enabled');
});

test('the legacy rules stay while the new ones are removed again, and go when they are back', async () => {
  const zone = await furnishZone('pro');
  const { result: config } = await zone.config();
  const { id } = (await zone.put(pending, config)).result;
  equal((await zone.call(`DELETE /rulesets/${id}`)).status, 204);
  await zone.settle();
  await zone.expectStatus('pending', 'enabled', 'disabled');
  equal((await zone.put('', { rules: [execute()] })).status, 200);
  await zone.expectStatus('pending', 'enabled', 'enabled');
  await control.clock.advance(10_000);
  await zone.expectStatus('complete', 'disabled', 'enabled');
});

test('the configuration that is sent again is the one that is there: ids stay, nothing differs, nothing is said to be lost', async () => {
  const zone = await furnishZone('enterprise');
  await zone.bypass('ip.src eq 192.0.2.2', { description: 'office' });
  const { result: config } = await zone.config();
  const first = await zone.put(validation, config);
  const rules = config.rules as Record<string, unknown>[];
  const bare = rules.map(({ id: _id, version: _version, ref: _ref, ...rule }) => rule);
  for (const body of [config, { name: 'default', rules: bare }]) {
    const { result, messages, status } = await zone.put(`${pending}&dry_run=true`, body);
    deepEqual([status, result, messages], [200, null, []]);
  }
  const last = await zone.put(pending, config);
  deepEqual([last.status, last.messages, last.result.rules], [200, [], first.result.rules]);
  const { result: diff } = await zone.do(`GET /rulesets/${last.result.id}/versions/1/diff`);
  deepEqual(diff, { from: '1', to: '2', fields: [], added: [], removed: [], changed: [], moved: [] });
});

test('a migration that a stop interrupted continues at the next start', async () => {
  const zone = await furnishZone('pro');
  const { result: config } = await zone.config();
  equal((await zone.put(pending, config)).status, 200);
  control = await control.restart();
  const again = new MigratingZone(control, 'pro');
  await again.settle();
  await again.expectStatus('complete', 'disabled', 'enabled');
});

test('each step is in the audit log, the last one by the system', async () => {
  const zone = await furnishZone('enterprise');
  const { result: config } = await zone.config();
  await zone.put(validation, config);
  await zone.put(validation, config);
  await zone.put(pending, config);
  await zone.settle();
  const { result } = await zone.do('GET /audit_logs?per_page=1000');
  const steps = (result as AuditLine[]).filter(({ resource }) => resource.type === 'waf_migration');
  deepEqual(
    steps.map(({ actor, oldValueJson, newValueJson }) => [
      actor.type,
      oldValueJson.migration_state,
      newValueJson.migration_state,
    ]),
    [
      ['system', 'pending', 'complete'],
      ['user', 'validation', 'pending'],
      ['user', 'start', 'validation'],
    ],
  );
});

interface AuditLine {
  readonly resource: { readonly type: string };
  readonly actor: { readonly type: string };
  readonly oldValueJson: { readonly migration_state: string };
  readonly newValueJson: { readonly migration_state: string };
}

test('a token needs Zone WAF or Firewall Services to look, and Zone WAF to migrate', async () => {
  const zone = await furnishZone('pro');
  const reader = await makeToken(control, { groups: ['Firewall Services Read'], on: [`zone.${zone.id}`] });
  const get = await control.call(`GET ${zone.path}/waf_migration/check?phase_two=1`, {
    headers: reader.headers,
  });
  equal(get.status, 200);
  const put = `PUT ${zone.path}/rulesets/phases/http_request_firewall_managed/entrypoint${pending}`;
  equal((await control.call(put, { headers: reader.headers, body: { rules: [execute()] } })).status, 403);
});

/** A migration cannot be undone, so it must be requested completely, and must not reduce the protection of a zone. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { managedRulesets } from '#managed';
import { operations } from '#contract';
import { type Envelope, TestControl } from './harness.ts';
import {
  comparingId,
  execute,
  managedId,
  MigratingZone,
  owaspId,
  scores,
  signatures,
} from './migrating-zone.ts';

const pending = '?waf_migration=pending&phase_two=1';
const validation = '?waf_migration=validation&phase_two=1';
const credentialsId = 'c2e184081120413c86c3ab7e14069605';

let control: TestControl;
let zone: MigratingZone;
beforeEach(async () => {
  control = await TestControl.open();
  zone = new MigratingZone(control, 'enterprise');
  await zone.setWaf('on');
});
afterEach(() => control.close());

function refusal({ status, errors, result }: Envelope): readonly unknown[] {
  equal(result, null);
  return [status, ...errors.map(({ code }) => code)];
}

function overridden(overrides: object, id = managedId): object {
  return execute(id, { action_parameters: { id, overrides } });
}

function skip(parameters: object, expression = 'true'): object {
  return { action: 'skip', expression, action_parameters: parameters };
}

test('the update must contain the rules, whatever the entry point has', async () => {
  const expectRefused = async (): Promise<void> => {
    for (const query of [pending, validation, `${pending}&dry_run=true`]) {
      for (const body of [{}, { name: 'default' }, { description: 'all of it' }]) {
        const answer = await zone.put(query, body);
        deepEqual(refusal(answer), [400, 10711], query);
        deepEqual(answer.errors[0]!.source, { pointer: '/rules' });
      }
    }
    await zone.expectStatus(...expected);
  };
  let expected = ['start', 'enabled', 'disabled'];
  await expectRefused();
  await zone.setWaf('off');
  expected = ['start', 'disabled', 'disabled'];
  await expectRefused();
  equal((await zone.put('', { rules: [execute()] })).status, 200);
  expected = ['start', 'disabled', 'enabled'];
  await expectRefused();
  // Without the parameter it is an ordinary update, which keeps the rules.
  equal((await zone.put('', {})).result.rules.length, 1);
});

test('two values of a parameter are refused, in either order, and the same value twice is not', async () => {
  const body = { rules: [execute()] };
  for (const query of [
    '?waf_migration=validation&waf_migration=pending&phase_two=1',
    '?waf_migration=pending&waf_migration=validation&phase_two=1',
    '?waf_migration=pending&phase_two=1&dry_run=true&dry_run=false',
    '?waf_migration=pending&phase_two=1&phase_two=2',
    '?waf_migration=&waf_migration=pending&phase_two=1',
  ]) {
    const answer = await zone.put(query, body);
    deepEqual(refusal(answer), [400, 10027], query);
    match(answer.errors[0]!.message, /must have one value: it has ".*" and ".*"$/);
  }
  await zone.expectStatus('start', 'enabled', 'disabled');
  const twice = '?waf_migration=validation&waf_migration=validation&phase_two=1&phase_two=1';
  equal((await zone.put(twice, body)).status, 200);
  await zone.expectStatus('validation', 'enabled', 'enabled');
});

test('waf_migration is refused by every operation that does not migrate', async () => {
  const { result } = await zone.put('', { rules: [execute()] });
  const accountId = control.control.directory.accountId;
  const paths: Readonly<Record<string, string>> = {
    zone_id: zone.id,
    account_id: accountId,
    ruleset_id: result.id,
    rule_id: result.rules[0].id,
    ruleset_phase: 'http_request_firewall_managed',
    ruleset_version: '1',
    setting_id: 'waf',
  };
  // Routes about a token first require one.
  const others = Object.entries(operations).filter(
    ([id]) => id !== 'rulesets.updateEntryPoint' && !id.endsWith('okens.verify'),
  );
  let count = 0;
  for (const [id, { method, path }] of others) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => paths[name] ?? '0'.repeat(32));
    const answer = await control.call(`${method} ${filled}?waf%5Fmigration=pending&phase_two=1`, {
      body: method === 'GET' ? undefined : {},
    });
    // Some paths have segments that cannot be filled in; they are not routes.
    if (answer.status === 404) continue;
    deepEqual([id, answer.status, answer.errors[0]?.code], [id, 400, 20941]);
    count++;
  }
  ok(count > 100, String(count));
  await zone.expectStatus('start', 'enabled', 'enabled');
});

test('phase_two without waf_migration gets a message that it has no effect', async () => {
  const { status, messages } = await zone.put('?phase_two=1', { rules: [execute()] });
  deepEqual([status, messages.map(({ code }) => code)], [200, [10743]]);
  await zone.expectStatus('start', 'enabled', 'enabled');
});

test('a configuration that only seems to protect is refused, and the message names why', async () => {
  const allRules = managedRulesets.get(managedId)!.rules.map(({ id }) => id);
  const cases: readonly (readonly [string, readonly object[], RegExp])[] = [
    ['nothing', [], /no rule executes a managed ruleset$/],
    ['disabled', [execute(managedId, { enabled: false })], /rule 1 is disabled$/],
    [
      'false',
      [execute(managedId, { expression: 'false' })],
      /rule 1 has an expression that matches no request$/,
    ],
    ['not true', [execute(managedId, { expression: 'ssl and not true' })], /rule 1 has an expression/],
    ['opposites', [execute(managedId, { expression: 'ssl and not ssl' })], /rule 1 has an expression/],
    ['skip', [skip({ ruleset: 'current' }), execute()], /rule 2 is skipped for every request by rule 1$/],
    [
      'skip of everybody',
      [skip({ ruleset: 'current' }, 'http.host contains ""'), execute()],
      /rule 2 is skipped for every request by rule 1$/,
    ],
    [
      'skip of rulesets',
      [skip({ rulesets: [managedId, owaspId] }, 'not false'), execute(), execute(owaspId)],
      /rule 2 is skipped for every request by rule 1; rule 3 is skipped for every request by rule 1$/,
    ],
    [
      'skip of rules',
      [skip({ rules: { [managedId]: allRules } }), execute()],
      /rule 2 has no rule of its ruleset left/,
    ],
    ['overrides', [overridden({ enabled: false })], /rule 1 has no rule of its ruleset left/],
    ['log', [overridden({ action: 'log' })], /rule 1 only logs$/],
    [
      'log of both',
      [overridden({ action: 'log' }), overridden({ rules: [{ id: comparingId, action: 'log' }] }, owaspId)],
      /rule 1 only logs; rule 2 only logs$/,
    ],
    [
      'no comparison',
      [overridden({ rules: [{ id: comparingId, enabled: false }] }, owaspId)],
      /rule 1 scores without the rule that compares the score$/,
    ],
    [
      'threshold',
      [overridden({ rules: [{ id: comparingId, score_threshold: 9999 }] }, owaspId)],
      /rule 1 has a score threshold that no request can reach$/,
    ],
    ['credentials', [execute(credentialsId)], /rule 1 executes only the check of exposed credentials$/],
    [
      'credentials that block',
      [overridden({ action: 'block' }, credentialsId)],
      /rule 1 executes only the check of exposed credentials$/,
    ],
  ];
  for (const [name, rules, reason] of cases) {
    const answer = await zone.put(pending, { rules });
    deepEqual(refusal(answer), [400, 10710], name);
    match(answer.errors[0]!.message, reason, name);
    match(answer.errors[0]!.message, /than the legacy managed rules, which block or challenge: /);
  }
  await zone.expectStatus('start', 'enabled', 'disabled');
  equal((await zone.call('GET /rulesets/phases/http_request_firewall_managed/entrypoint')).status, 404);
});

test('a configuration that protects some requests is accepted', async () => {
  const taken: readonly (readonly object[])[] = [
    [execute(managedId, { expression: 'ssl' })],
    [skip({ ruleset: 'current' }, 'ssl'), execute()],
    [skip({ rulesets: [owaspId] }), execute()],
    [execute(), skip({ ruleset: 'current' }), execute(owaspId)],
    [{ ...skip({ ruleset: 'current' }), enabled: false }, execute()],
    [overridden({ action: 'log' }), execute(owaspId)],
    [
      overridden({
        action: 'log',
        rules: [{ id: managedRulesets.get(managedId)!.rules[0]!.id, action: 'block' }],
      }),
    ],
  ];
  for (const rules of taken) {
    const { status, errors } = await zone.put(`${pending}&dry_run=true`, { rules });
    deepEqual([status, errors], [200, []], JSON.stringify(rules));
  }
});

test('a custom rule that skips the phase for every request is an obstacle as well', async () => {
  const custom = 'PUT /rulesets/phases/http_request_firewall_custom/entrypoint';
  const past = skip({ phases: ['http_request_firewall_managed'] });
  const { id } = (await zone.do(custom, { rules: [past] })).result.rules[0];
  const answer = await zone.put(pending, { rules: [execute()] });
  deepEqual(refusal(answer), [400, 10710]);
  ok(answer.errors[0]!.message.includes(`rule ${id} of the phase http_request_firewall_custom`));
  // A zone whose legacy rules were also bypassed by every request loses nothing.
  await zone.do(custom, { rules: [past, skip({ products: ['waf'] })] });
  equal((await zone.put(`${pending}&dry_run=true`, { rules: [execute()] })).status, 200);
});

test('what the zone is given as its configuration is taken, with a message if it does not act', async () => {
  const weak = async (): Promise<readonly string[]> => {
    const { result: config } = await zone.config();
    const { status, messages, errors } = await zone.put(`${pending}&dry_run=true`, config);
    equal(status, 200, JSON.stringify(errors));
    return messages.filter(({ code }) => code === 10741).map(({ message }) => message);
  };
  deepEqual(await weak(), []);
  const bypass = await zone.bypass('true');
  match(
    (await weak())[0]!,
    /managed rulesets that do nothing: rule 2 is skipped for every request by rule 1; rule 3/,
  );
  await zone.do(`DELETE /firewall/rules/${bypass}`);

  // Everything off but OWASP, which only simulates.
  const { result: groups } = await zone.do(`GET /firewall/waf/packages/${signatures}/groups?per_page=100`);
  for (const { id } of groups as { id: string }[]) {
    await zone.do(`PATCH /firewall/waf/packages/${signatures}/groups/${id}`, { mode: 'off' });
  }
  await zone.do(`PATCH /firewall/waf/packages/${scores}`, { action_mode: 'simulate' });
  match((await weak())[0]!, /managed rulesets that only log: rule 1 has no rule .*; rule 2 only logs$/);
  const less = await zone.put(pending, { rules: [execute(managedId, { enabled: false })] });
  deepEqual(refusal(less), [400, 10710]);
  match(less.errors[0]!.message, /which log: rule 1 is disabled$/);

  const { result: config } = await zone.config();
  equal((await zone.put(pending, config)).status, 200);
  await zone.settle();
  await zone.expectStatus('complete', 'disabled', 'enabled');
});

test('the legacy rules stay if the new ones stop acting before the migration ends', async () => {
  const { result: config } = await zone.config();
  equal((await zone.put(pending, config)).status, 200);
  equal((await zone.put('', { rules: [execute(managedId, { expression: 'false' })] })).status, 200);
  await zone.settle();
  await zone.expectStatus('pending', 'enabled', 'disabled');
  equal((await zone.put('', { rules: [execute()] })).status, 200);
  await control.clock.advance(10_000);
  await zone.expectStatus('complete', 'disabled', 'enabled');
});

test('watch goes with validation and nothing else, and ends with it', async () => {
  const body = { rules: [execute()] };
  for (const query of [`${pending}&watch=true`, '?watch=true', '?watch=1&phase_two=1']) {
    deepEqual(refusal(await zone.put(query, body)), [400, 10712], query);
  }
  const pro = new MigratingZone(control, 'pro');
  deepEqual(refusal(await pro.put(`${validation}&watch=true`, body)), [400, 10702]);
  const isWatched = async (): Promise<boolean> =>
    (await zone.do('GET /waf_migration/status')).result.watched as boolean;
  equal((await zone.put(`${validation}&watch=true&dry_run=true`, body)).status, 200);
  equal(await isWatched(), false);
  equal((await zone.put(`${validation}&watch=true`, body)).status, 200);
  equal(await isWatched(), true);
  control = await control.restart();
  zone = new MigratingZone(control, 'enterprise');
  equal(await isWatched(), true);
  equal((await zone.put(`${validation}&watch=false`, body)).status, 200);
  equal(await isWatched(), false);
  const { result } = await zone.do('GET /audit_logs?per_page=1000');
  const steps = (result as { resource: { type: string }; newValueJson: { watched?: boolean } }[])
    .filter(({ resource }) => resource.type === 'waf_migration')
    .map(({ newValueJson }) => newValueJson.watched);
  deepEqual(steps, [false, true, undefined]);
});

/**
 * A zone that migrates under traffic: the effect of each generation of managed rules on the same attack, at each step.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { managedRulesets, legacyPackages } from '#managed';
import {
  comparingId,
  execute,
  managedId,
  MigratingZone,
  scores,
  signatures,
} from '../control/migrating-zone.ts';
import { ServedEdge } from './served-edge.ts';

const attack = '?redirect:https://elsewhere.example/';
const legacyId = legacyPackages[0]!.rules[0]!.id;
const newId = managedRulesets.get(managedId)!.rules[0]!.id;
const logged = execute(managedId, {
  action_parameters: { id: managedId, overrides: { rules: [{ id: newId, action: 'log' }] } },
});
const validation = '?waf_migration=validation&phase_two=1';
const pending = '?waf_migration=pending&phase_two=1';

let served: ServedEdge;
let zone: MigratingZone;
beforeEach(async () => {
  served = await ServedEdge.open();
  await served.serve('enterprise');
  zone = new MigratingZone(served.control, 'enterprise');
  await zone.setWaf('on');
  await served.inForce();
});
afterEach(() => served[Symbol.asyncDispose]());

/** The client's status, and the effect of each rule. */
async function sendAttack(path: string): Promise<readonly unknown[]> {
  const answer = await served.send(`${path}${attack}`);
  const came = served.origin.take().length;
  equal(came, answer.status === 200 ? 1 : 0);
  const events = await served.eventsOf(answer);
  return [answer.status, ...events.map(({ action, source, ruleId }) => `${action} ${source} ${ruleId}`)];
}

async function put(query: string, rules: readonly object[]): Promise<void> {
  const { status, errors } = await zone.put(query, { rules });
  equal(status, 200, JSON.stringify(errors));
  await served.inForce();
}

test('validation mode: the new rules log, the legacy ones still block, both are in the activity log', async () => {
  deepEqual(await sendAttack('/'), [403, `block waf ${legacyId}`]);
  await put(validation, [logged]);
  deepEqual(await sendAttack('/'), [403, `log firewallManaged ${newId}`, `block waf ${legacyId}`]);

  // Finished: only the replacing rules are left.
  await put(pending, [execute()]);
  await zone.settle();
  await served.inForce();
  await zone.expectStatus('complete', 'disabled', 'enabled');
  deepEqual(await sendAttack('/'), [403, `block firewallManaged ${newId}`]);
});

test('a configuration is watched as it was generated: OWASP logs, and acts with the same overrides afterwards', async () => {
  // All signatures off, so that only the score decides; each is an override of the generated configuration.
  const { result: groups } = await zone.do(`GET /firewall/waf/packages/${signatures}/groups?per_page=100`);
  for (const { id } of groups as { id: string }[]) {
    await zone.do(`PATCH /firewall/waf/packages/${signatures}/groups/${id}`, { mode: 'off' });
  }
  await zone.do(`PATCH /firewall/waf/packages/${scores}`, { sensitivity: 'medium', action_mode: 'block' });
  const { result: config } = await zone.config();
  const [managed, owasp] = config.rules as { action_parameters: { overrides: { rules: object[] } } }[];
  ok(managed!.action_parameters.overrides.rules.length > 100);
  deepEqual(owasp!.action_parameters.overrides.rules, [
    { id: comparingId, action: 'block', score_threshold: 25 },
  ]);
  // Only the new rules decide about the attack.
  await zone.setWaf('off');
  await served.inForce();
  const scoring = '/?q=%3Cscript%3Ealert(document.cookie)%3C/script%3E&file=../../../../etc/passwd';
  const outcome = async (): Promise<readonly unknown[]> => {
    const answer = await served.send(scoring);
    served.origin.take();
    const events = await served.eventsOf(answer);
    return [answer.status, ...events.map(({ action, source, ruleId }) => `${action} ${source} ${ruleId}`)];
  };
  deepEqual(await outcome(), [200]);

  const watched = await zone.put(`${validation}&watch=true`, config);
  await served.inForce();
  equal(watched.status, 200);
  deepEqual(
    watched.messages.map(({ code }) => code),
    [10742],
  );
  deepEqual(await outcome(), [200, `log firewallManaged ${comparingId}`]);
  const entryPoint = '/rulesets/phases/http_request_firewall_managed/entrypoint';
  const read = await zone.do(`GET ${entryPoint}`);
  deepEqual([read.result.rules, read.messages[0]!.code], [watched.result.rules, 10742]);
  equal((await zone.do('GET /waf_migration/status')).result.watched, true);
  // Changes of the rules are watched as well.
  await put('', config.rules);
  deepEqual(await outcome(), [200, `log firewallManaged ${comparingId}`]);

  const acting = await zone.put(validation, config);
  await served.inForce();
  deepEqual([acting.status, acting.messages], [200, []]);
  deepEqual(await outcome(), [403, `block firewallManaged ${comparingId}`]);
  deepEqual(acting.result.rules, watched.result.rules);
  const diff = await zone.do(`GET /rulesets/${acting.result.id}/versions/${watched.result.version}/diff`);
  deepEqual(
    [diff.result.added, diff.result.removed, diff.result.changed, diff.result.moved],
    [[], [], [], []],
  );

  // Watched again, and finished from there.
  await zone.put(`${validation}&watch=true`, config);
  await zone.setWaf('on');
  const finished = await zone.put(pending, config);
  deepEqual([finished.status, finished.messages], [200, []]);
  await zone.settle();
  await served.inForce();
  await zone.expectStatus('complete', 'disabled', 'enabled');
  deepEqual(await outcome(), [403, `block firewallManaged ${comparingId}`]);
  deepEqual(finished.result.rules, watched.result.rules);
  equal((await zone.do('GET /waf_migration/status')).result.watched, false);
});

test('page rules that turn the WAF off apply to the legacy rules only; an exception applies to the others', async () => {
  await zone.page('/static/*', 'off');
  await served.inForce();
  deepEqual(await sendAttack('/static/a'), [200]);
  deepEqual(await sendAttack('/dynamic/a'), [403, `block waf ${legacyId}`]);

  await put(validation, [execute()]);
  deepEqual(await sendAttack('/static/a'), [403, `block firewallManaged ${newId}`]);

  const exception = {
    action: 'skip',
    expression: 'starts_with(http.request.uri.path, "/static/")',
    action_parameters: { ruleset: 'current' },
  };
  await put(pending, [exception, execute()]);
  await zone.settle();
  await served.inForce();
  const [status, event] = await sendAttack('/static/a');
  deepEqual([status, String(event).split(' ').slice(0, 2)], [200, ['skip', 'firewallManaged']]);
  deepEqual(await sendAttack('/dynamic/a'), [403, `block firewallManaged ${newId}`]);
});

test('overrides by rule, category and ruleset decide what managed rules do', async () => {
  await put(pending, [execute()]);
  await zone.settle();
  await served.inForce();
  deepEqual(await sendAttack('/'), [403, `block firewallManaged ${newId}`]);
  const overridden = async (overrides: object): Promise<readonly unknown[]> => {
    await put('', [execute(managedId, { action_parameters: { id: managedId, overrides } })]);
    return sendAttack('/');
  };
  deepEqual(await overridden({ rules: [{ id: newId, enabled: false }] }), [200]);
  deepEqual(await overridden({ enabled: false }), [200]);
  deepEqual(await overridden({ action: 'log' }), [200, `log firewallManaged ${newId}`]);
  const { categories } = managedRulesets.get(managedId)!.rules[0]!;
  deepEqual(
    await overridden({
      categories: [{ category: categories[0], action: 'managed_challenge' }],
      action: 'log',
    }),
    [403, `managed_challenge firewallManaged ${newId}`],
  );
});

test('an exception for one rule or one ruleset leaves the others in force', async () => {
  await put(pending, [execute()]);
  await zone.settle();
  const skip = (parameters: object): object => ({
    action: 'skip',
    expression: 'http.request.uri.path eq "/form"',
    action_parameters: parameters,
    logging: { enabled: false },
  });
  await put('', [skip({ rules: { [managedId]: [newId] } }), execute()]);
  deepEqual(await sendAttack('/form'), [200]);
  const [status] = await sendAttack('/other');
  equal(status, 403);
  const other = await served.send('/form?id=1%20union%20select%20password%20from%20users--');
  equal(other.status, 403);
  await put('', [skip({ rulesets: [managedId] }), execute()]);
  equal((await served.send('/form?id=1%20union%20select%20password%20from%20users--')).status, 200);
});

test('skip of a phase in the phase before takes requests past it', async () => {
  await put(pending, [execute()]);
  await zone.settle();
  await served.do(`PUT ${zone.path}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [
      {
        action: 'skip',
        expression: 'http.request.uri.path eq "/trusted"',
        action_parameters: { phases: ['http_request_firewall_managed'] },
        ref: 'trusted',
      },
    ],
  });
  const answer = await served.send(`/trusted${attack}`);
  deepEqual(
    [answer.status, (await served.eventsOf(answer)).map(({ action, source, ref }) => [action, source, ref])],
    [200, [['skip', 'firewallCustom', 'trusted']]],
  );
  served.origin.take();
  deepEqual(await sendAttack('/other'), [403, `block firewallManaged ${newId}`]);
});

test('a paused zone is passed on without judging', async () => {
  deepEqual(await sendAttack('/'), [403, `block waf ${legacyId}`]);
  await served.do(`PATCH /zones/${zone.id}`, { paused: true });
  deepEqual(await sendAttack('/'), [200]);
  await served.do(`PATCH /zones/${zone.id}`, { paused: false });
  deepEqual(await sendAttack('/'), [403, `block waf ${legacyId}`]);
});

test('a paused firewall rule does not act, nor does a rule whose filter is paused', async () => {
  const filter = { expression: 'http.request.uri.path eq "/closed"' };
  const { result } = await zone.do('POST /firewall/rules', [{ action: 'block', filter, paused: true }]);
  const { id } = result[0];
  const ask = async (): Promise<number> => {
    await served.inForce();
    return (await served.send('/closed')).status;
  };
  equal(await ask(), 200);
  const rule = { id, action: 'block', filter: { id: result[0].filter.id } };
  await zone.do(`PUT /firewall/rules/${id}`, { ...rule, paused: false });
  equal(await ask(), 403);

  const { result: filters } = await zone.do('POST /filters', [
    { expression: 'http.request.uri.path eq "/shut"', paused: true },
  ]);
  await zone.do('POST /firewall/rules', [{ action: 'block', filter: { id: filters[0].id } }]);
  await served.inForce();
  equal((await served.send('/shut')).status, 200);
});

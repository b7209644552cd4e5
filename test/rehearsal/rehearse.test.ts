/**
 * The report of a rehearsal matches reality: the same traffic is sent through a real edge, before and after the real
 * migration of the zone.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findChange, type Outcome } from '../../src/program/rehearsal/outcome.ts';
import { openTraffic, readSnapshot, rehearse, type RehearsalReport } from '#rehearsal';
import type { Plan } from '#rulesets';
import { MigratingZone, scores, signatures } from '../control/migrating-zone.ts';
import { ServedEdge } from '../edge/served-edge.ts';
import { Random } from '../faults/random.ts';
import { createReadApi } from './read-api.ts';
import { createTraffic, type SentRequest, writeRecording } from './traffic.ts';

const seed = 20_261_115;
let served: ServedEdge;
let directory: string;
before(async () => {
  served = await ServedEdge.open();
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-rehearse-test-'));
});
after(async () => {
  await served[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

/** Legacy rules in other modes, a group that is off, OWASP settings, bypass rules, page rules, a list, custom rules. */
async function configureZone(zone: MigratingZone, sensitivity: 'high' | 'medium'): Promise<void> {
  const { accountId } = served.control.control.directory;
  const name = `office_${sensitivity}`;
  const list = await served.do(`POST /accounts/${accountId}/rules/lists`, { name, kind: 'ip' });
  await served.do(`POST /accounts/${accountId}/rules/lists/${list.result.id}/items`, [{ ip: '127.0.0.1' }]);
  await served.control.clock.advance(1_000);
  await zone.setWaf('on');
  const { result: rules } = await zone.do(`GET /firewall/waf/packages/${signatures}/rules?per_page=100`);
  const modes = ['simulate', 'challenge', 'disable'] as const;
  for (const [index, { id }] of (rules as { id: string }[]).slice(0, 45).entries()) {
    await zone.do(`PATCH /firewall/waf/packages/${signatures}/rules/${id}`, { mode: modes[index % 3] });
  }
  await turnGroupsOff(zone, signatures, (group) => !/PHP|WordPress|Drupal/.test(group));
  await turnGroupsOff(zone, scores, (group) => /XSS/.test(group));
  await zone.do(`PATCH /firewall/waf/packages/${scores}`, { sensitivity, action_mode: 'challenge' });
  await zone.bypass('http.user_agent contains "monitor" and ip.src in $' + name);
  await zone.bypass('http.request.uri.path eq "/forum/post"', { priority: 5 });
  await zone.page('/static/*', 'off');
  await zone.page('/upload/*', undefined, {
    actions: [{ id: 'disable_security' }],
  });
  await zone.do('POST /firewall/rules', [
    { filter: { expression: 'http.user_agent contains "sqlmap"' }, action: 'challenge' },
  ]);
  await zone.do('PUT /rulesets/phases/http_request_firewall_custom/entrypoint', {
    rules: [
      { action: 'block', expression: 'http.request.uri.path eq "/admin/tools"', description: 'no tools' },
    ],
  });
  await served.inForce();
}

async function turnGroupsOff(
  zone: MigratingZone,
  packageId: string,
  isOff: (name: string) => boolean,
): Promise<void> {
  const path = `/firewall/waf/packages/${packageId}/groups`;
  const { result: groups } = await zone.do(`GET ${path}?per_page=100`);
  for (const { id, name } of groups as { id: string; name: string }[]) {
    if (isOff(name)) await zone.do(`PATCH ${path}/${id}`, { mode: 'off' });
  }
}

/** The real outcome of each request. */
async function send(requests: readonly SentRequest[], plan: Plan): Promise<Outcome['action'][]> {
  const host = served.host(plan);
  const rays: { readonly ray: string; readonly isStopped: boolean }[] = [];
  for (const { method, path, headers, body } of requests) {
    const answer = await served.send(path, {
      host,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    rays.push({ ray: String(answer.headers['cf-ray']), isStopped: served.origin.take().length === 0 });
  }
  const events = Map.groupBy(await served.events(plan), ({ rayName }) => rayName);
  const actions: Readonly<Record<string, Outcome['action']>> = {
    block: 'block',
    challenge: 'challenge',
    jschallenge: 'js_challenge',
    managed_challenge: 'managed_challenge',
  };
  return rays.map(({ ray, isStopped }) => {
    if (!isStopped) return 'pass';
    const { action } = events
      .get(ray)!
      .toSorted((a, b) => a.matchIndex - b.matchIndex)
      .at(-1)!;
    return actions[action]!;
  });
}

function listChanged(before: readonly Outcome['action'][], after: readonly Outcome['action'][]): object[] {
  return before.flatMap((was, index) => {
    const is = after[index]!;
    const kind = findChange({ action: was }, { action: is });
    return kind === undefined ? [] : [{ number: index + 1, kind, was, is }];
  });
}

function listReported({ changes }: RehearsalReport): object[] {
  return changes.map(({ request, kind, before: was, after: is }) => ({
    number: request.number,
    kind,
    was: was.action,
    is: is.action,
  }));
}

const cases = [
  // The new threshold is lower, and settings of OWASP groups are lost.
  { plan: 'enterprise', sensitivity: 'medium', expected: 'newlyStopped' },
  // The new threshold is higher.
  { plan: 'business', sensitivity: 'high', expected: 'noLongerStopped' },
] as const;

for (const { plan, sensitivity, expected } of cases) {
  test(`rehearse (${plan} zone) reports exactly the verdicts that the migration changes, and what restores them`, async () => {
    await served.serve(plan);
    const zone = new MigratingZone(served.control, plan);
    await configureZone(zone, sensitivity);
    const requests = createTraffic(new Random(seed), 800);
    const file = join(directory, `${plan}.ndjson`);
    await writeFile(file, writeRecording(requests, zone.name));
    const exported = await zone.do('GET /export');
    const snapshot = await readSnapshot(createReadApi(served.control), zone.name);
    const report = await rehearse({ snapshot, traffic: await openTraffic({ file, zoneName: zone.name }) });
    // The zone is unchanged.
    deepEqual((await zone.do('GET /export')).result, exported.result);
    await zone.expectStatus('start', 'enabled', 'disabled');

    const verdictsBefore = await send(requests, plan);
    const { result: config } = await zone.config();
    deepEqual(report.config, config);
    equal((await zone.put('?waf_migration=pending&phase_two=1', config)).status, 200);
    await zone.settle();
    await served.inForce();
    await zone.expectStatus('complete', 'disabled', 'enabled');
    const happened = listChanged(verdictsBefore, await send(requests, plan));
    deepEqual(listReported(report), happened);
    equal(report.changed.total, happened.length);
    equal(report.traffic.requests, 800);
    ok(report.changed[expected] >= 5, JSON.stringify(report.changed));

    // The suggestions have the effect in the zone that the second replay showed.
    const { configWithSuggestions, changedWithSuggestions } = report;
    ok(configWithSuggestions !== null && changedWithSuggestions !== null);
    equal((await zone.put('', configWithSuggestions)).status, 200);
    await served.inForce();
    const remaining = listChanged(verdictsBefore, await send(requests, plan));
    equal(remaining.length, changedWithSuggestions.total);
    ok(remaining.length < happened.length);
  });
}

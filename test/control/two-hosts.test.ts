/**
 * The control plane with its objects in two hosts: a migration, a list that zones of both hosts may name, tokens and
 * the inspection of objects. `npm run verify -- test:hosts` runs whole suites on two hosts.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLog } from '#base';
import { execute, MigratingZone } from './migrating-zone.ts';
import { TestControl } from './harness.ts';
import { ListMaker } from './list-maker.ts';
import { makeToken } from './token-maker.ts';

let control: TestControl;
before(async () => {
  const log = createLog({ level: 'warn', format: 'text', write: (line) => process.stderr.write(line) });
  control = await TestControl.open({ hosts: { count: 2, log } });
});
after(() => control.close());

const plans = ['free', 'pro', 'business', 'enterprise'] as const;

test('two hosts: a zone migrates, and its alarm ends the migration', async () => {
  const zone = new MigratingZone(control, 'pro');
  await zone.setWaf('on');
  await zone.bypass('ip.src eq 192.0.2.1', { description: 'office' });
  await zone.page('/static/*', 'off');
  await zone.expectStatus('start', 'enabled', 'disabled');
  const { result: config } = await zone.config();
  equal((await zone.put('?waf_migration=pending&phase_two=1', config)).status, 200);
  await zone.expectStatus('pending', 'enabled', 'enabled');
  await zone.settle();
  await zone.expectStatus('complete', 'disabled', 'enabled');
  equal((await zone.put('', { rules: [execute()] })).status, 200);
});

test('two hosts: zones of both know a list from the moment it is created until it is deleted', async () => {
  const maker = new ListMaker(control);
  const list = await maker.makeList();
  const body = [{ expression: `ip.src in $${list.name}` }];
  const filters: string[] = [];
  for (const plan of plans) {
    const { result, errors } = await control.call(`POST /zones/${control.zone(plan)}/filters`, { body });
    deepEqual(errors, []);
    filters.push(`/zones/${control.zone(plan)}/filters/${result[0].id}`);
  }
  equal((await control.call(`GET ${maker.lists}/${list.id}`)).result.num_referencing_filters, plans.length);
  equal((await control.call(`DELETE ${maker.lists}/${list.id}`)).errors[0]!.code, 10031);
  for (const filter of filters) equal((await control.call(`DELETE ${filter}`)).status, 200);
  // Whichever comes first, no filter names a deleted list.
  const [deleted, ...created] = await Promise.all([
    control.call(`DELETE ${maker.lists}/${list.id}`),
    ...plans.map((plan) => control.call(`POST /zones/${control.zone(plan)}/filters`, { body })),
  ]);
  const named = created.some(({ status }) => status === 200);
  equal(deleted.status === 200, !named, JSON.stringify([deleted, ...created].map(({ status }) => status)));
});

test('two hosts: a token counts everywhere at once, and its use is told', async () => {
  const { id, headers } = await makeToken(control, { groups: ['Firewall Services Write'] });
  const put = (plan: (typeof plans)[number]) =>
    control.call(`POST /zones/${control.zone(plan)}/filters`, {
      headers,
      body: [{ expression: `http.host eq "${plan}.example"` }],
    });
  for (const plan of plans) equal((await put(plan)).status, 200, plan);
  const { result } = await control.call(`GET /user/tokens/${id}`);
  ok(result.last_used_on !== undefined);
  equal((await control.call(`DELETE /user/tokens/${id}`)).status, 200);
  for (const plan of plans) equal((await put(plan)).status, 403, plan);
});

test('two hosts: zones of both have the OWASP rules that are in force', async () => {
  // The Free plan does not have them.
  const [, ...paid] = plans;
  const id = '4814384a9e5d4991b9815dcfc25d2f1f';
  const countRules = (): Promise<number[]> =>
    Promise.all(
      paid.map(async (plan) => {
        const { result } = await control.call(`GET /zones/${control.zone(plan)}/rulesets/${id}`);
        return result.rules.length;
      }),
    );
  const installed = (await countRules())[0]!;
  ok(installed > 1);
  deepEqual(
    await countRules(),
    paid.map(() => installed),
  );
  await control.control.setCoreRules(undefined);
  deepEqual(
    await countRules(),
    paid.map(() => 1),
  );
});

test('two hosts: objects of both are listed, read and put back', async () => {
  const objects = `/accounts/${control.control.directory.accountId}/objects`;
  const { result: listed } = await control.call(`GET ${objects}/Zone`);
  equal(listed.length, plans.length);
  const zone = control.zone('enterprise');
  const list = async (): Promise<unknown[]> =>
    (await control.call(`GET /zones/${zone}/filters`)).result.map((each: any) => each.expression);
  const before = await list();
  const { result } = await control.call(`GET ${objects}/Zone/${zone}`);
  await control.clock.advance(1_000);
  await control.call(`POST /zones/${zone}/filters`, { body: [{ expression: 'ip.src eq 192.0.2.7' }] });
  equal((await list()).length, before.length + 1);
  const restored = await control.call(`POST ${objects}/Zone/${zone}/restore`, {
    body: { bookmark: result.bookmark, confirm: control.control.directory.zones.get(zone)!.name },
  });
  deepEqual(restored.errors, []);
  deepEqual(await list(), before);
});

test('two hosts: when one is started again, the edges look at every zone, since it may have written without telling', async () => {
  const { hosts, configurations, directory } = control.control;
  const unreported = new Set(['account', ...directory.zones.keys()]);
  const { promise: allNotified, resolve } = Promise.withResolvers<void>();
  const stop = configurations.onChange((changed) => {
    unreported.delete(changed);
    if (unreported.size === 0) resolve();
  });
  process.kill(hosts!.pids[0]!, 'SIGKILL');
  await allNotified;
  stop();
  for (const plan of plans)
    equal((await control.call(`GET /zones/${control.zone(plan)}/filters`)).status, 200);
});

/** Bundles from before and after a migration, brought into a zone that has migrated. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Envelope, TestControl } from './harness.ts';
import { execute, managedId, MigratingZone } from './migrating-zone.ts';

let control: TestControl;
let zone: MigratingZone;
beforeEach(async () => {
  control = await TestControl.open();
  zone = new MigratingZone(control, 'enterprise');
});
afterEach(() => control.close());

function replaceBy(bundle: unknown): Promise<Envelope> {
  return zone.do('POST /import?mode=replace', bundle);
}

async function migrate(): Promise<void> {
  const { result: config } = await zone.config();
  equal((await zone.put('?waf_migration=pending&phase_two=1', config)).status, 200);
  await zone.settle();
  await zone.expectStatus('complete', 'disabled', 'enabled');
}

const managedEntryPoint = 'GET /rulesets/phases/http_request_firewall_managed/entrypoint';

test('bundle.import of a bundle from before the migration leaves the managed rules of a migrated zone, and says so', async () => {
  await zone.setWaf('on');
  await zone.bypass('ip.src eq 192.0.2.1');
  await zone.page('/a*', 'off');
  const { result: bare } = await zone.do('GET /export');
  // Prepared, and not in force.
  await zone.put('', { rules: [execute(managedId, { enabled: false })] });
  const { result: prepared } = await zone.do('GET /export');
  await migrate();
  const { result: before } = await zone.do(managedEntryPoint);
  const { migration: _, ...handmade } = bare;
  const reasons: readonly (readonly [object, RegExp])[] = [
    [bare, /in it no rule executes a managed ruleset$/],
    [handmade, /in it no rule executes a managed ruleset$/],
    [{ ...bare, migration: { migration_state: 'validation' } }, /in it no rule executes a managed ruleset$/],
    [prepared, /in it rule 1 is disabled$/],
  ];
  for (const [bundle, reason] of reasons) {
    for (const query of ['?mode=replace&dry_run=true', '?mode=replace']) {
      const { result, messages } = await zone.do(`POST /import${query}`, bundle);
      deepEqual(result.changes.rulesets, { added: 0, changed: 0, removed: 0, kept: 1 });
      const kept = messages.filter(({ code }) => code === 10827);
      equal(kept.length, 1);
      match(kept[0]!.message, reason);
      deepEqual((await zone.do(managedEntryPoint)).result, before);
    }
  }
  const { status, errors } = await zone.call('POST /import?mode=replace', { ...bare, migration: 'complete' });
  deepEqual([status, errors[0]!.source], [400, { pointer: '/migration' }]);
  await zone.expectStatus('complete', 'disabled', 'enabled');
});

test('bundle.import reports once that bypasses and page rules have no effect in a migrated zone', async () => {
  await zone.setWaf('on');
  const { result: empty } = await zone.do('GET /export');
  const ids = [await zone.bypass('ip.src eq 192.0.2.1'), await zone.bypass('ip.src eq 192.0.2.2')];
  await zone.page('/a*', 'off');
  await zone.page('/b*', 'on');
  const { result: full } = await zone.do('GET /export');
  await migrate();
  equal(ids.length, 2);
  await replaceBy(empty);
  const { messages } = await replaceBy(full);
  const told = messages.filter(({ code }) => code === 10744 || code === 10745);
  deepEqual(
    told.map(({ code, message }) => [code, message.split(': ').at(-1)!.split(', ').length]),
    [
      [10745, 2],
      [10744, 2],
    ],
  );
});

test('bundle.import imports a bundle from after a migration as it is, and reports what it removes', async () => {
  await zone.setWaf('on');
  await migrate();
  const { result: migrated } = await zone.do('GET /export');
  await zone.put('', { rules: [execute()] });
  const again = await replaceBy(migrated);
  deepEqual(again.result.changes.rulesets, { added: 0, changed: 1, removed: 0, kept: 0 });
  ok(again.messages.every(({ code }) => code !== 10827 && code !== 10828));
  const without = await replaceBy({ ...migrated, rulesets: [] });
  deepEqual(without.result.changes.rulesets, { added: 0, changed: 0, removed: 1, kept: 0 });
  const told = without.messages.find(({ code }) => code === 10828);
  match(told!.message, /no rule executes a managed ruleset$/);
  await zone.expectStatus('complete', 'disabled', 'disabled');
});

test('bundle.import replaces managed rules of a migrated zone by others that act, whenever they were exported', async () => {
  await zone.put('', { rules: [execute(managedId, { expression: 'ssl' })] });
  const { result: bundle } = await zone.do('GET /export');
  await zone.setWaf('on');
  await migrate();
  const { result, messages } = await replaceBy(bundle);
  deepEqual(result.changes.rulesets, { added: 0, changed: 1, removed: 0, kept: 0 });
  ok(messages.every(({ code }) => code !== 10827));
  equal((await zone.do(managedEntryPoint)).result.rules[0].expression, 'ssl');
});

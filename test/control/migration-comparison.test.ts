/** The comparison of both generations over the API: which requests it includes, and which input it refuses. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { TestControl } from './harness.ts';
import { comparingId, execute, managedId, MigratingZone, owaspId } from './migrating-zone.ts';
import { SecurityZone } from './security-zone.ts';

let control: TestControl;
let zone: MigratingZone;
let log: SecurityZone;
beforeEach(async () => {
  control = await TestControl.open();
  zone = new MigratingZone(control, 'enterprise');
  log = new SecurityZone(control, 'enterprise');
});
afterEach(() => control.close());

const hourMs = 3_600_000;
const compare = (body: object = {}) => zone.call('POST /waf_migration/comparison', body);

/** A watched event of the rule that compares the score. */
const scored = (number: number, agoMs: number) => ({
  number,
  agoMs,
  source: 'firewallManaged',
  action: 'log',
  ruleId: comparingId,
  rulesetId: owaspId,
  metadata: [{ key: 'waf_score', value: '60' }],
});

test('migration.compare is about requests since validation began, and what the new rules would do', async () => {
  const early = await compare();
  deepEqual([early.status, early.errors[0]!.code], [400, 10713]);
  match(early.errors[0]!.message, /the zone is in the state start/);

  await zone.setWaf('on');
  await zone.put('?waf_migration=validation&phase_two=1&watch=true', { rules: [execute(owaspId)] });
  await control.clock.advance(2 * hourMs);
  await log.record([scored(1, 3 * hourMs), scored(2, hourMs), scored(3, 0)]);
  const { result } = await compare();
  deepEqual(
    [result.requests, result.differ, result.watched, result.is_complete, result.compared.length],
    [2, 2, true, true, 1],
  );
  deepEqual([result.compared[0].times, result.compared[0].next.outcome], [2, 'block']);
  equal((await compare({ since: '30m' })).result.requests, 1);
  equal((await compare({ since: '7d' })).result.requests, 2);
  deepEqual((await compare({ since: 'yesterday' })).status, 400);

  // The effect of unsaved rules on the same requests.
  const overrides = { rules: [{ id: comparingId, action: 'log' }] };
  const softer = execute(owaspId, { action_parameters: { id: owaspId, overrides } });
  equal((await compare({ rules: [softer] })).result.compared[0].next.outcome, 'log');
  equal((await compare({ rules: [execute(managedId)] })).result.compared[0].next.outcome, 'pass');
  const refused = await compare({ rules: [{ action: 'execute', expression: 'nonsense' }] });
  equal(refused.status, 400);
  match(refused.errors[0]!.source?.pointer ?? '', /^\/rules\/0\//);
});

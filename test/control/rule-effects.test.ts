/** Past and potential effects of rules, and saved searches of the activity log. */
import { deepEqual, equal } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { TestControl } from './harness.ts';
import { SecurityZone } from './security-zone.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

let control: TestControl;
let zone: SecurityZone;
let path: string;
beforeEach(async () => {
  control = await TestControl.open();
  zone = new SecurityZone(control, 'enterprise');
  path = `/zones/${zone.id}`;
});
afterEach(() => control.close());

test('ruleEffects.list counts hits of a day and of all that is kept, and lists rules that never matched', async () => {
  const { result: created } = await zone.call(`POST ${path}/firewall/rules`, {
    body: [
      { action: 'block', description: 'unused', filter: { expression: 'http.host eq "never.example"' } },
    ],
  });
  await zone.record([
    { number: 1, ruleId: 'a', agoMs: minuteMs },
    { number: 2, ruleId: 'a', agoMs: 2 * minuteMs },
    { number: 3, ruleId: 'a', agoMs: 2 * dayMs },
    { number: 4, ruleId: 'b', agoMs: 2 * dayMs },
  ]);
  const { result } = await zone.call(`GET ${path}/security/rules/effects`);
  const effects = result.rules.map((rule: any) => [
    rule.rule_id,
    rule.hits_24h,
    rule.hits,
    rule.last_match === null,
    rule.is_in_force,
  ]);
  deepEqual(effects, [
    ['a', 2, 3, false, false],
    ['b', 0, 1, false, false],
    [created[0].id, 0, 0, true, true],
  ]);
  deepEqual([result.days, result.is_complete], [30, true]);
  const { result: limited } = await zone.call(`GET ${path}/security/rules/effects?limit=1`);
  deepEqual([limited.rules.length, limited.is_complete], [1, false]);
});

test('ruleEffects.preview counts the requests that an expression would have matched, by the activity log', async () => {
  await zone.record([
    { number: 1, clientRequestPath: '/admin', agoMs: minuteMs },
    { number: 2, clientRequestPath: '/cart', agoMs: 2 * minuteMs },
    { number: 3, clientRequestPath: '/admin/x', agoMs: 3 * minuteMs },
  ]);
  const preview = (body: object) => zone.call(`POST ${path}/security/rules/preview`, { body });
  const { result } = await preview({ expression: 'starts_with(http.request.uri.path, "/admin")' });
  deepEqual(
    [result.source, result.examined, result.matched, result.matched_signed_in, result.missing],
    ['activity log', 3, 2, null, []],
  );
  equal(result.newest.length, 2);
  const { result: newest } = await preview({ expression: 'true', requests: 1 });
  deepEqual([newest.examined, newest.matched], [1, 1]);
  const { result: blind } = await preview({ expression: 'http.cookie contains "a"' });
  deepEqual([blind.matched, blind.missing], [0, ['http.cookie']]);
  const { status, errors } = await preview({ expression: 'ip.src eq' });
  deepEqual([status, errors[0]?.code], [400, 10103]);
});

test('savedViews are kept by the server: created, replaced by name, listed and deleted', async () => {
  const views = `${path}/security/views`;
  const save = (name: string, search: object) => zone.call(`POST ${views}`, { body: { name, search } });
  const search = { since: '7d', where: ['action:eq:block'], interval: '1h', compare: 'before' };
  const { result: first } = await save('Blocked', search);
  await save('Admin', { expression: 'http.request.uri.path contains "/admin"' });
  const { result: replaced } = await save('Blocked', { since: '24h' });
  equal(replaced.id, first.id);
  const list = async (): Promise<any[]> => (await zone.call(`GET ${views}`)).result;
  deepEqual(
    (await list()).map(({ name, search: saved }) => [name, saved]),
    [
      ['Admin', { expression: 'http.request.uri.path contains "/admin"' }],
      ['Blocked', { since: '24h' }],
    ],
  );
  await zone.call(`DELETE ${views}/${first.id}`);
  deepEqual(
    (await list()).map(({ name }) => name),
    ['Admin'],
  );
  const { status } = await save('', {});
  equal(status, 400);
});

test('a reason that a caller gives is in the audit log, which is searched by what was changed', async () => {
  const { email, key } = control.control.bootstrapped!;
  const owner = { 'x-auth-email': email, 'x-auth-key': key };
  const { result } = await zone.call(`POST ${path}/firewall/rules`, {
    body: [{ action: 'log', filter: { expression: 'ssl' } }],
    headers: { ...owner, 'x-change-reason': encodeURIComponent('Ticket 7: größer') },
  });
  const log = `${path}/audit_logs`;
  const { result: entries } = await zone.call(`GET ${log}?resource.id=${result[0].id}`);
  deepEqual(
    entries.map((entry: any) => [entry.resource.id, entry.metadata.reason]),
    [[result[0].id, 'Ticket 7: größer']],
  );
  deepEqual((await zone.call(`GET ${log}?resource.id=nothing`)).result, []);
});

/** One response names all errors of a call: of rules and filters, of every item. */
import { deepEqual, equal } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { FirewallZone, nobody } from './firewall-zone.ts';
import { type Envelope, TestControl } from './harness.ts';

let control: TestControl;
let free: FirewallZone;
beforeEach(async () => {
  control = await TestControl.open();
  free = new FirewallZone(control, 'free');
});
afterEach(() => control.close());

const shown = ({ errors }: Envelope) => errors.map(({ code, source }) => [code, source?.pointer]);

test('firewallRules.create names the errors of the rule and of its filter, of every item', async () => {
  const used = await free.rule({ action: 'block', filter: { expression: 'true' } });
  const before = await free.state();
  const answer = await free.call(`POST ${free.rules}`, [
    { action: 'log', products: ['waf'], filter: { expression: 'nosuch' } },
    { action: 'block', filter: { expression: 'ssl' } },
    { action: 'deny', priority: -1, filter: { expression: 'http.host matches "a"' } },
    { action: 'bypass', filter: { id: nobody } },
    { action: 'block', filter: { expression: 'true', paused: 'no' } },
    'rule',
    { action: 'block', filter: { expression: 'true' } },
    { action: 'block', filter: { id: used.filter.id } },
    { action: 'allow', filter: {} },
    { actoin: 'block', filter: { expression: 7 } },
  ]);
  equal(answer.status, 400);
  deepEqual(shown(answer), [
    [10206, '/0/action'],
    [10207, '/0'],
    [10103, '/0/filter/expression'],
    [10026, '/2/action'],
    [10026, '/2/priority'],
    [10105, '/2/filter/expression'],
    [10208, '/3'],
    [10204, '/3/filter/id'],
    [10026, '/4/filter/paused'],
    [10026, '/5'],
    [10202, '/6/filter'],
    [10203, '/7'],
    [10205, '/8/filter'],
    [10026, '/9/actoin'],
    [10026, '/9/filter/expression'],
    [10026, '/9/action'],
  ]);
  deepEqual(await free.state(), before);
});

test('firewallRules.create names every one of a hundred items, and survives an item of nothing but mistakes', async () => {
  const wrong = Array.from({ length: 100 }, () => ({ action: 'log', filter: { expression: 'nosuch' } }));
  equal((await free.call(`POST ${free.rules}`, wrong)).errors.length, 200);
  const noise = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, index]));
  const answer = await free.call(`POST ${free.rules}`, [
    { ...noise, action: 'log', filter: { expression: 'nosuch' } },
    wrong[0],
  ]);
  equal(answer.status, 400);
  deepEqual(shown(answer).slice(-2), [
    [10206, '/1/action'],
    [10103, '/1/filter/expression'],
  ]);
});

test('filters.create and filters.updateMany name the errors of every item', async () => {
  const one = await free.filter({ expression: 'ssl' });
  const two = await free.filter({ expression: 'not ssl' });
  const inline = await free.rule({ action: 'block', filter: { expression: 'true' } });
  const before = await free.state();
  const created = await free.call(`POST ${free.filters}`, [
    { expression: 'nosuch', paused: 1 },
    { expression: 'ssl' },
    { expression: 'false' },
    { expression: 'false' },
    { expression: 'ip.src eq' },
  ]);
  deepEqual(shown(created), [
    [10026, '/0/paused'],
    [10103, '/0/expression'],
    [10102, '/1'],
    [10107, '/3'],
    [10103, '/4/expression'],
  ]);
  const updated = await free.call(`PUT ${free.filters}`, [
    { id: nobody, expression: 'nosuch' },
    { id: inline.filter.id, expression: 'false' },
    { id: one.id, expression: 'not ssl' },
    { id: one.id, expression: 'false' },
    { id: two.id, expression: 'ip.src eq', ref: 7 },
    { expression: 'nosuch' },
  ]);
  equal(updated.status, 400);
  deepEqual(shown(updated), [
    [10001, '/0'],
    [10103, '/0/expression'],
    [10106, '/1'],
    [10107, '/3'],
    [10026, '/4/ref'],
    [10103, '/4/expression'],
    [10026, '/5/id'],
    [10103, '/5/expression'],
  ]);
  deepEqual(await free.state(), before);
});

test('filters.update names a wrong id and a wrong expression together', async () => {
  const { id } = await free.filter({ expression: 'ssl' });
  const answer = await free.call(`PUT ${free.filters}/${id}`, {
    id: nobody,
    expression: 'nosuch',
    paused: 1,
  });
  deepEqual(shown(answer), [
    [10104, '/id'],
    [10026, '/paused'],
    [10103, '/expression'],
  ]);
});

test('filters.deleteMany names every filter that may not go', async () => {
  const one = await free.rule({ action: 'block', filter: { expression: 'ssl' } });
  const two = await free.rule({ action: 'block', filter: { expression: 'not ssl' } });
  const ids = `id=${one.filter.id}&id=${nobody}&id=${two.filter.id}`;
  const { errors } = await free.call(`DELETE ${free.filters}?${ids}`);
  deepEqual(
    errors.map(({ code, meta }) => [code, meta?.id]),
    [
      [10106, one.id],
      [10106, two.id],
    ],
  );
});

test('firewallRules.updateMany and editMany name the errors of every item', async () => {
  const one = await free.rule({ action: 'block', filter: { expression: 'ssl' } });
  const two = await free.rule({ action: 'block', filter: { expression: 'not ssl' } });
  const { filter } = one;
  const before = await free.state();
  const updated = await free.call(`PUT ${free.rules}`, [
    { id: nobody, action: 'log', filter: { id: nobody } },
    { id: one.id, action: 'bypass', filter: { id: filter.id } },
    { id: two.id, action: 'deny', filter: { id: nobody } },
    { id: two.id, action: 'block', filter: { id: filter.id } },
  ]);
  equal(updated.status, 400);
  deepEqual(shown(updated), [
    [10201, '/0'],
    [10206, '/0/action'],
    [10204, '/0/filter/id'],
    [10208, '/1'],
    [10026, '/2/action'],
    [10204, '/2/filter/id'],
    [10212, '/3'],
  ]);
  const edited = await free.call(`PATCH ${free.rules}`, [
    { id: nobody, priority: -1 },
    { id: one.id, priority: 1 },
    { id: one.id, priority: 'x' },
  ]);
  deepEqual(shown(edited), [
    [10026, '/0/priority'],
    [10201, '/0'],
    [10026, '/2/priority'],
    [10212, '/2'],
  ]);
  const missing = await free.call(`PATCH ${free.rules}`, [{ id: nobody }, { id: '1'.repeat(32) }]);
  deepEqual(
    [missing.status, shown(missing)],
    [
      404,
      [
        [10201, '/0'],
        [10201, '/1'],
      ],
    ],
  );
  deepEqual(await free.state(), before);
});

import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { FirewallZone, type RuleAnswer } from './firewall-zone.ts';
import { TestControl } from './harness.ts';

let control: TestControl;
beforeEach(async () => {
  control = await TestControl.open();
});
afterEach(() => control.close());

for (const [plan, max] of [
  ['free', 5],
  ['pro', 20],
  ['business', 100],
  ['enterprise', 1000],
] as const) {
  test(`firewallRules.create keeps to the ${max} rules of the plan ${plan}`, async () => {
    const zone = new FirewallZone(control, plan);
    for (let made = 0; made < max; made += 100) {
      const size = Math.min(100, max - made);
      const expressions = Array.from({ length: size }, (_, index) => ({
        expression: `http.host eq "${made + index}"`,
      }));
      const { result } = await zone.call(`POST ${zone.filters}`, expressions);
      const rules = result.map(({ id }: { id: string }) => ({
        action: 'block',
        paused: true,
        filter: { id },
      }));
      equal((await zone.call(`POST ${zone.rules}`, rules)).status, 200);
    }
    const { id } = await zone.filter({ expression: 'ssl and true' });
    const before = await zone.state();
    const refused = await zone.call(`POST ${zone.rules}`, [{ action: 'block', filter: { id } }]);
    deepEqual(
      [refused.status, refused.errors[0]!.code, refused.errors[0]!.source],
      [400, 10209, { pointer: '/0' }],
    );
    match(
      refused.errors[0]!.message,
      new RegExp(`${plan} plan includes ${max} firewall rules; the zone has ${max}`),
    );
    deepEqual(refused.messages, []);
    deepEqual(await zone.state(), before);
    const [first] = await zone.allRules();
    await zone.call(`DELETE ${zone.rules}/${first!.id}`);
    await zone.rule({ action: 'block', filter: { id } });
  });
}

test('firewallRules of a downgraded zone stay and can be changed, but no rules can be added', async () => {
  const zone = new FirewallZone(control, 'pro');
  const rules = Array.from({ length: 7 }, (_, index) => ({
    action: 'block',
    filter: { expression: `http.host eq "${index}"` },
  }));
  equal((await zone.call(`POST ${zone.rules}`, rules)).status, 200);
  await zone.call(`PATCH /zones/${control.zone('pro')}`, { plan: { id: 'free' } });
  const [first] = await zone.allRules();
  equal((await zone.call(`PATCH ${zone.rules}/${first!.id}`, { priority: 1 })).status, 200);
  equal((await zone.call(`PUT ${zone.rules}/${first!.id}`, first)).status, 200);
  const refused = await zone.call(`POST ${zone.rules}`, [{ action: 'block', filter: { expression: 'ssl' } }]);
  deepEqual([refused.errors[0]!.code, refused.errors[0]!.source], [10209, { pointer: '/0' }]);
  equal((await zone.allRules()).length, 7);
});

test('firewallRules.list is in the order of evaluation', async () => {
  const business = new FirewallZone(control, 'business');
  const given: [string, number | null][] = [
    ['block', null],
    ['js_challenge', 5],
    ['allow', null],
    ['allow', 5],
    ['managed_challenge', null],
    ['block', 0],
    ['challenge', null],
    ['challenge', 5],
    ['block', null],
    ['allow', 100],
  ];
  for (const [index, [action, priority]] of given.entries()) {
    await business.rule({
      action,
      priority,
      description: String(index),
      filter: { expression: `http.host eq "${index}"` },
    });
  }
  const rules = (await business.allRules()) as (RuleAnswer & { description: string })[];
  deepEqual(
    rules.map(({ description }) => Number(description)),
    [5, 3, 7, 1, 9, 2, 6, 4, 0, 8],
  );
});

test('firewallRules.list has pages, and finds by each of its parameters', async () => {
  const pro = new FirewallZone(control, 'pro');
  for (let index = 0; index < 12; index++) {
    await pro.rule({
      action: index % 2 === 0 ? 'block' : 'allow',
      priority: index,
      paused: index === 3,
      ...(index < 6 ? { description: `Rule No. ${index}` } : {}),
      filter: { expression: `http.host eq "${index}"` },
    });
  }
  const all = await pro.allRules();
  const list = async (query: string) => {
    const { status, result, result_info } = await pro.call(`GET ${pro.rules}?${query}`);
    equal(status, 200);
    return { priorities: result.map(({ priority }: RuleAnswer) => priority), info: result_info };
  };
  deepEqual(await list('per_page=5&page=2'), {
    priorities: [5, 6, 7, 8, 9],
    info: { page: 2, per_page: 5, count: 5, total_count: 12, total_pages: 3 },
  });
  deepEqual((await list('per_page=5&page=4')).priorities, []);
  deepEqual((await list('action=allow&paused=false')).priorities, [1, 5, 7, 9, 11]);
  deepEqual((await list('paused=true')).priorities, [3]);
  deepEqual((await list('description=RULE%20no.%204')).priorities, [4]);
  deepEqual((await list(`id=${all[8]!.id}`)).priorities, [8]);
  equal((await list('id=&description=')).priorities.length, 12);
  equal((await pro.call(`GET ${pro.rules}?action=blok`)).status, 400);
});

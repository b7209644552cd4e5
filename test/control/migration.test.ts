import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { managedRules, legacyGroups, legacyRules, findReplacement } from '#managed';
import { TestControl } from './harness.ts';
import {
  comparingId,
  execute,
  managedId,
  MigratingZone,
  owaspId,
  scores,
  signatures,
} from './migrating-zone.ts';

let control: TestControl;
let zone: MigratingZone;
beforeEach(async () => {
  control = await TestControl.open();
  zone = new MigratingZone(control, 'enterprise');
});
afterEach(() => control.close());

const codesOf = (entries: readonly { readonly code: number }[]): number[] => entries.map(({ code }) => code);

/** The rules of `config`, by what they execute; exceptions first. */
async function carryOver() {
  const { result, messages } = await zone.config();
  const rules = result.rules as {
    action: string;
    expression: string;
    description: string;
    enabled: boolean;
    action_parameters: { id: string; overrides?: { rules: object[]; categories: object[] } };
  }[];
  return {
    skips: rules.filter(({ action }) => action === 'skip'),
    managed: rules.find(({ action_parameters: { id } }) => id === managedId)!,
    owasp: rules.find(({ action_parameters: { id } }) => id === owaspId),
    codes: codesOf(messages),
    messages,
  };
}

test('migration.check says whether the zone is compatible, and the state in either case', async () => {
  deepEqual((await zone.check()).result, { compatible: true, migration_state: 'start' });
  const { result, messages } = await new MigratingZone(control, 'free').check();
  deepEqual(result, { compatible: false, migration_state: 'default' });
  match(messages[0]!.message, /^wafmigration\.api\.not_entitled: the Free plan is not entitled/);
  const { status, errors } = await zone.call('GET /waf_migration/check?phase_two=2');
  deepEqual([status, codesOf(errors)], [400, [10027]]);
});

test('migration.check names the URI-based overrides that are in the way, paused ones as well', async () => {
  const [rule] = legacyRules.keys();
  const body = { urls: [`${zone.name}/*`], rules: { [rule!]: 'block' }, paused: true };
  const { id } = (await zone.do('POST /firewall/waf/overrides', body)).result;
  const { result, messages } = await zone.check();
  deepEqual(result, { compatible: false, migration_state: 'start' });
  deepEqual(codesOf(messages), [10705]);
  match(messages[0]!.message, new RegExp(`1 URI-based overrides .*: ${id}$`));
  await zone.do(`DELETE /firewall/waf/overrides/${id}`);
  equal((await zone.check()).result.compatible, true);
});

test('migration.check counts firewall rules that bypass managed rules, and no others', async () => {
  const rules = Array.from({ length: 200 }, (_, index) => ({
    filter: { expression: `http.request.uri.path eq "/${index}"` },
    action: 'bypass',
    products: ['waf', 'hot'],
    paused: index % 2 === 0,
  }));
  await zone.do('POST /firewall/rules', rules.slice(0, 100));
  await zone.do('POST /firewall/rules', rules.slice(100));
  await zone.bypass('ssl', { products: ['hot'] });
  equal((await zone.check()).result.compatible, true);
  const id = await zone.bypass('not ssl');
  deepEqual(codesOf((await zone.check()).messages), [10706]);
  const { status, errors } = await zone.put('?waf_migration=pending&phase_two=1', { rules: [execute()] });
  deepEqual([status, codesOf(errors)], [400, [10706]]);
  await zone.do(`DELETE /firewall/rules/${id}`);
  equal((await zone.check()).result.compatible, true);
});

test('migration.check counts the bytes of expressions where their own limit counts characters', async () => {
  const expression = (letter: string, count: number): string =>
    `http.user_agent contains "${letter.repeat(count)}"`;
  const room = 4096 - expression('', 0).length;
  await zone.bypass(expression('a', room));
  equal((await zone.check()).result.compatible, true);
  const id = await zone.bypass(expression('é', room / 2 + 1));
  const { messages } = await zone.check();
  deepEqual(codesOf(messages), [10707]);
  match(messages[0]!.message, new RegExp(`rule ${id} has 409[78] bytes of UTF-8, more than 4096$`));
});

test('the first phase answers by its own conditions: for the check, the configuration and the update', async () => {
  await zone.setWaf('on');
  await zone.bypass('ssl');
  await zone.page('/a', 'off');
  await zone.page('/b', undefined);
  await zone.page('/c', 'on', { status: 'disabled' });
  const { result, messages } = await zone.check(1);
  deepEqual(
    [result, codesOf(messages)],
    [{ compatible: false, migration_state: 'start' }, [10709, 10714, 10715]],
  );
  deepEqual(
    codesOf((await zone.do('GET /waf_migration/config')).messages).slice(0, 3),
    [10709, 10714, 10715],
  );
  const update = await zone.put('?waf_migration=pending', { rules: [execute()] });
  deepEqual([update.status, codesOf(update.errors)], [400, [10709, 10714, 10715]]);
  equal((await zone.check(2)).result.compatible, true);
  await zone.expectStatus('start', 'enabled', 'disabled');
});

test('a zone that meets the conditions of the first phase migrates without phase_two', async () => {
  await zone.setWaf('on');
  deepEqual(codesOf((await zone.check(1)).messages), [10709]);
  await zone.do(`PATCH /firewall/waf/packages/${scores}`, { sensitivity: 'off' });
  deepEqual((await zone.check(1)).result, { compatible: true, migration_state: 'start' });
  const { result: proposal } = await zone.do('GET /waf_migration/config');
  equal((await zone.put('?waf_migration=pending', { rules: proposal.rules })).status, 200);
  await zone.settle();
  await zone.expectStatus('complete', 'disabled', 'enabled');
});

test('the first phase is open to a zone whose firewall is off, with the OWASP package on', async () => {
  await zone.setWaf('off');
  deepEqual((await zone.check(1)).result, { compatible: true, migration_state: 'start' });
});

test('migration.config of an untouched zone has both rulesets, disabled, with keys in their order', async () => {
  const { result, messages } = await zone.config();
  deepEqual(JSON.stringify(Object.keys(result)), '["name","rules"]');
  equal(result.name, 'default');
  const keys = 'id,version,action,expression,description,ref,enabled,action_parameters';
  deepEqual(
    result.rules.map((rule: object) => Object.keys(rule).join()),
    [keys, keys],
  );
  deepEqual(result.rules[0], {
    id: '',
    version: '',
    action: 'execute',
    expression: 'true',
    description: '',
    ref: '',
    enabled: false,
    action_parameters: { id: managedId, overrides: { rules: [] } },
  });
  deepEqual(codesOf(messages), [10721, 10722, 10724]);
});

test('migration.config maps sensitivity and action of OWASP by the table', async () => {
  await zone.setWaf('on');
  const cases = [
    ['high', 'simulate', ['log', 40], [3, 4]],
    ['medium', 'challenge', ['challenge', 25], [2, 3, 4]],
    ['low', 'block', ['block', 40], [2, 3, 4]],
    ['default', 'block', ['block', 40], [3, 4]],
  ] as const;
  for (const [sensitivity, action_mode, [action, score_threshold], off] of cases) {
    await zone.do(`PATCH /firewall/waf/packages/${scores}`, { sensitivity, action_mode });
    const { owasp } = await carryOver();
    deepEqual(owasp!.action_parameters.overrides!.rules, [{ id: comparingId, action, score_threshold }]);
    deepEqual(
      owasp!.action_parameters.overrides!.categories,
      off.map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
    );
  }
  await zone.do(`PATCH /firewall/waf/packages/${scores}`, { sensitivity: 'off' });
  equal((await carryOver()).owasp, undefined);
});

test('migration.config reports which settings of OWASP groups and rules are lost', async () => {
  const group = [...legacyGroups.values()].find(({ packageId }) => packageId === scores)!;
  const rule = [...legacyRules.values()].find(({ packageId }) => packageId === scores)!;
  await zone.do(`PATCH /firewall/waf/packages/${scores}/groups/${group.id}`, { mode: 'off' });
  await zone.do(`PATCH /firewall/waf/packages/${scores}/rules/${rule.id}`, { mode: 'off' });
  const { messages } = await carryOver();
  const texts = messages.filter(({ code }) => code === 10725 || code === 10726).map(({ message }) => message);
  equal(texts.length, 2);
  ok(texts[0]!.includes(group.id) && texts[0]!.includes(group.name));
  ok(texts[1]!.includes(rule.id));
});

test('migration.config overrides the rules whose mode is not what their replacement does', async () => {
  const ownRules = [...legacyRules.values()].filter(({ packageId }) => packageId === signatures);
  const blocking = ownRules.filter(({ defaultMode }) => defaultMode === 'block');
  const drupal = [...legacyGroups.values()].find(({ name }) => name === 'Cloudflare Drupal')!;
  const others = blocking.filter(({ groupId }) => groupId !== drupal.id);
  const modes = ['simulate', 'challenge', 'disable', 'block', 'default'];
  for (const [index, mode] of modes.entries()) {
    await zone.do(`PATCH /firewall/waf/packages/${signatures}/rules/${others[index]!.id}`, { mode });
  }
  await zone.do(`PATCH /firewall/waf/packages/${signatures}/groups/${drupal.id}`, { mode: 'off' });
  const replacement = (index: number): string => findReplacement(others[index]!.id)!;
  const { managed } = await carryOver();
  const expected = [
    { id: replacement(0), action: 'log', enabled: true },
    { id: replacement(1), action: 'challenge', enabled: true },
    { id: replacement(2), action: 'block', enabled: false },
    ...drupal.ruleIds
      .map((id) => managedRules.get(findReplacement(id)!)!.rule)
      .filter(({ enabled }) => enabled)
      .map(({ id, action }) => ({ id, action, enabled: false })),
  ];
  const sorted = (entries: readonly { id: string }[]) => entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  deepEqual(sorted(managed.action_parameters.overrides!.rules as { id: string }[]), sorted(expected));
});

test('migration.config makes exceptions of firewall rules; paused ones come disabled, others stay out', async () => {
  await zone.setWaf('on');
  await zone.bypass('ip.src eq 192.0.2.1', { description: 'office' });
  const bare = await zone.bypass('ip.src eq 192.0.2.2');
  await zone.bypass('ip.src eq 192.0.2.3', { paused: true });
  const pausedFilter = { expression: 'ip.src eq 192.0.2.4', paused: true };
  await zone.bypass('', { filter: pausedFilter });
  await zone.bypass('ip.src eq 192.0.2.5', { products: ['hot'] });
  const { result: filters } = await zone.do('POST /filters', [{ expression: 'ip.src eq 192.0.2.6' }]);
  const orphan = await zone.bypass('', { filter: { id: filters[0].id } });
  await zone.do(`DELETE /filters/${filters[0].id}`);
  const { skips, messages } = await carryOver();
  deepEqual(
    skips.map(({ expression, enabled }) => [expression.slice(-1), enabled]),
    [
      ['1', true],
      ['2', true],
      ['3', false],
      ['4', false],
    ],
  );
  deepEqual(skips[0]!.action_parameters, { ruleset: 'current' });
  equal(skips[0]!.description, 'Rule migrated from Firewall Rules: office');
  equal(skips[1]!.description, `Rule migrated from Firewall Rules: ${bare}`);
  const lost = messages.filter(({ code }) => code === 10730);
  equal(lost.length, 1);
  ok(lost[0]!.message.includes(orphan));
});

test('migration.config takes out of an exception what a stronger rule allows', async () => {
  const allow = { filter: { expression: 'ssl' }, action: 'allow', priority: 1 };
  await zone.do('POST /firewall/rules', [allow]);
  await zone.bypass('http.host eq "a"', { priority: 2 });
  deepEqual(
    (await carryOver()).skips.map(({ expression }) => expression),
    ['(http.host eq "a") and not ((ssl))'],
  );
  const long = `http.host eq "${'b'.repeat(4070)}"`;
  await zone.bypass(long, { priority: 3 });
  const { skips, codes } = await carryOver();
  deepEqual([skips[1]!.expression, skips[1]!.enabled, codes.includes(10729)], [long, false, true]);
});

test('migration.config makes exceptions of page rules, without what stronger ones take', async () => {
  await zone.setWaf('on');
  await zone.page('/shop/admin*', 'on', { priority: 9 });
  await zone.page('/shop/cache*', undefined, { priority: 8 });
  await zone.page('/elsewhere/*', 'on', { priority: 7 });
  const off = await zone.page('/shop*', 'off', { priority: 6 });
  await zone.page('/old', 'off', { status: 'disabled' });
  const { skips, managed, codes } = await carryOver();
  const part = (uri: string): string =>
    `(http.host eq "${zone.name}" and http.request.uri wildcard "${uri}")`;
  deepEqual(
    skips.map(({ expression, description, enabled }) => [expression, description, enabled]),
    [
      [
        `${part('/shop*')} and not (${part('/shop/admin*')} or ${part('/shop/cache*')})`,
        `Rule migrated from Page Rules: ${zone.name}/shop*`,
        true,
      ],
    ],
  );
  deepEqual([managed.expression, managed.enabled], ['true', true]);
  deepEqual(
    codes,
    [10722, 10728, 10724].toSorted((a, b) => codes.indexOf(a) - codes.indexOf(b)),
  );
  const actions = [{ id: 'disable_security' }];
  await zone.do(`PATCH /pagerules/${off}`, { actions });
  ok((await carryOver()).codes.includes(10727));
});

test('migration.config executes rulesets for the pages that turn the firewall on, if the zone has it off', async () => {
  await zone.page('/a*', 'off', { priority: 3 });
  await zone.page('/a/b*', 'on', { priority: 2 });
  await zone.page('/c', 'on', { priority: 1 });
  const { skips, managed, owasp, codes } = await carryOver();
  const part = (uri: string): string =>
    `(http.host eq "${zone.name}" and http.request.uri wildcard "${uri}")`;
  equal(managed.expression, `(${part('/a/b*')} and not (${part('/a*')})) or (${part('/c')})`);
  deepEqual([managed.enabled, owasp!.expression, skips.length], [true, managed.expression, 1]);
  ok(!codes.includes(10721));
  for (let count = 0; count < 10; count++) await zone.page(`/${'x'.repeat(500)}${count}*`, 'on');
  const { result, messages } = await zone.check();
  deepEqual([result.compatible, codesOf(messages)], [false, [10708]]);
});

test('migration.config reports custom rules that skip the legacy WAF', async () => {
  const skip = { action: 'skip', expression: 'ssl', action_parameters: { products: ['waf', 'bic'] } };
  const { result } = await zone.do('PUT /rulesets/phases/http_request_firewall_custom/entrypoint', {
    rules: [skip, { ...skip, action_parameters: { products: ['bic'] } }],
  });
  const told = (await carryOver()).messages.filter(({ code }) => code === 10731);
  equal(told.length, 1);
  ok(told[0]!.message.includes(result.rules[0].id));
});

test('migration.config is refused for zones without legacy managed rules', async () => {
  const { status, errors } = await new MigratingZone(control, 'free').call(
    'GET /waf_migration/config?phase_two=1',
  );
  deepEqual([status, codesOf(errors)], [400, [10702]]);
});

test('migration.status of a zone at the start, and of one that never had the product', async () => {
  const { result } = await zone.do('GET /waf_migration/status');
  deepEqual(Object.entries(result), [
    ['old_waf_status', 'disabled'],
    ['new_waf_status', 'disabled'],
    ['migration_state', 'start'],
    ['source', 'defaults'],
    ['created', '2026-01-01T00:00:00Z'],
    ['watched', false],
  ]);
  await zone.page('/a', 'on');
  await zone.expectStatus('start', 'enabled', 'disabled');
  await new MigratingZone(control, 'free').expectStatus('default', 'disabled', 'disabled');
});

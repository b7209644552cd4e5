import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { parse, printDiagnostic } from '#expressions';
import { plans } from '#rulesets';
import { requestFrom, type RequestDescription } from '#request';
import { listCategories, managedRules, managedRulesets } from './catalogue.ts';
import type { ManagedRuleset } from './managed-ruleset.ts';
import { compileText, form, json } from './testing.ts';

const rulesetOf = (id: string): ManagedRuleset => managedRulesets.get(id)!;
const managed = rulesetOf('efb7b8c949ac4650a09736fc376e9aee');
const owasp = rulesetOf('4814384a9e5d4991b9815dcfc25d2f1f');
const credentials = rulesetOf('c2e184081120413c86c3ab7e14069605');
const free = rulesetOf('77454fe2d30c4220b5701f6fdfb893ba');

test('managedRulesets knows the ids, names, phases and plans that clients rely on', () => {
  deepEqual(
    [...managedRulesets.values()].map(({ id, name, phase, plans: available }) => [
      id,
      name,
      phase,
      available[0],
    ]),
    [
      [managed.id, 'Cloudflare Managed Ruleset', 'http_request_firewall_managed', 'pro'],
      [owasp.id, 'Cloudflare OWASP Core Ruleset', 'http_request_firewall_managed', 'pro'],
      [credentials.id, 'Cloudflare Exposed Credentials Check', 'http_request_firewall_managed', 'pro'],
      [free.id, 'Cloudflare Free Managed Ruleset', 'http_request_firewall_managed', 'free'],
      [
        'e22d83c647c64a3eae91b71b499d988e',
        'Cloudflare Sensitive Data Detection',
        'http_response_firewall_managed',
        'enterprise',
      ],
    ],
  );
  deepEqual(free.plans, plans);
});

test('managedRulesets has only expressions that parse', () => {
  for (const { ruleset, rule } of managedRules.values()) {
    const { expression = '' } = rule;
    const parsed = parse(expression);
    if (!parsed.ok)
      throw new Error(`${ruleset.name} ${rule.id}\n${printDiagnostic(expression, parsed.error)}`);
  }
});

test('managedRules has every rule of every ruleset under a unique id', () => {
  const count = [...managedRulesets.values()].reduce((sum, { rules }) => sum + rules.length, 0);
  equal(managedRules.size, count);
  for (const [id, { rule }] of managedRules) {
    match(id, /^[0-9a-f]{32}$/);
    equal(rule.id, id);
    for (const category of rule.categories) match(category, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  }
});

test('managedRules keeps the ids derived from legacy ids and those that clients know', () => {
  const idOf = (legacyId: string): string | undefined =>
    managed.rules.find((rule) => rule.legacyId === legacyId)?.id;
  equal(
    managedRules.get('23ee7cebe6e8443e99ecf932ab579455')?.rule.categories.includes('cve-2013-2248'),
    true,
  );
  // The first 32 digits of sha256("efb7b8c949ac4650a09736fc376e9aee/100514").
  equal(idOf('100514'), 'cac236a4ae05f0416c4a0847693fb035');
});

test('managed ruleset contains at least 90 rules, most of them on, and most of those blocking', () => {
  const on = managed.rules.filter(({ enabled }) => enabled);
  equal(managed.rules.length >= 90, true);
  equal(on.length > managed.rules.length * 0.9 && on.length < managed.rules.length, true);
  deepEqual(new Set(on.map(({ action }) => action)), new Set(['block', 'log', 'managed_challenge']));
});

test('free ruleset contains signatures of the managed ruleset under its own ids', () => {
  equal(free.rules.length, 41);
  for (const { id, ref, expression } of free.rules) {
    equal(id === ref, false);
    equal(managedRules.get(ref)?.ruleset, managed);
    equal(managedRules.get(ref)?.rule.expression, expression);
  }
});

test('OWASP ruleset has only its last rule, and says so, until its rules are installed', () => {
  deepEqual(owasp.content, { state: 'not installed' });
  deepEqual(
    owasp.rules.map(({ id, description, action, scoreThreshold }) => [
      id,
      description,
      action,
      scoreThreshold,
    ]),
    [['6179ae15870a4bb7b2d480d4843b323c', '949110: Inbound Anomaly Score Exceeded', 'block', 40]],
  );
});

test('exposed credentials are found in forms and JSON, and uncommon passwords are not', () => {
  const checks = credentials.rules.map(({ expression, action }) => ({
    isMatch: compileText(expression!),
    action,
  }));
  const isFound = (request: RequestDescription): boolean =>
    checks.some(({ isMatch }) => isMatch(requestFrom(request)));
  equal(isFound(form({ log: 'admin', pwd: 'password123' }, '/wp-login.php')), true);
  equal(isFound(form({ username: 'a', password: 'p@ssw0rd' }, '/account')), true);
  equal(isFound(json({ email: 'a@example.com', password: 'qwerty' }, '/api/login')), true);
  equal(isFound(json({ email: 'a@example.com', password: 'k7#Pz-long-one' }, '/api/login')), false);
  equal(isFound(json({ password: 'qwerty' }, '/api/notes')), false);
  equal(
    checks.every(({ action }) => action === 'log'),
    true,
  );
});

test('listCategories returns every tag once', () => {
  equal(listCategories(managed).has('cve-2021-44228'), true);
  equal(listCategories(owasp).has('paranoia-level-4'), true);
  equal(listCategories(free).has('paranoia-level-4'), false);
});

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { judged, triggersOf, verdictOf, zoneOf } from '../testing.ts';

const ajax = (path: string) => ({
  url: `https://example.com${path}`,
  headers: { 'x-requested-with': 'XMLHttpRequest' },
});

test('LegacyStep is off with the switch, except for rules that ignore it', () => {
  const zone = zoneOf({});
  equal(verdictOf(zone, '/sql'), 'pass');
  equal(verdictOf(zone, '/always'), 'block by 103');
});

test('LegacyStep acts in the mode of each rule, its default unless changed', () => {
  const zone = zoneOf({ previous: { waf: 'on', rules: { '100': 'simulate', '104': 'block' } } });
  deepEqual(triggersOf(zone, '/sql'), ['log 100']);
  equal(verdictOf(zone, '/xss'), 'challenge by 101');
  equal(verdictOf(zone, '/quiet'), 'block by 104');
});

test('LegacyStep leaves out rules of groups that are off', () => {
  equal(verdictOf(zoneOf({ previous: { waf: 'on' } }), '/drupal'), 'pass');
  const zone = zoneOf({ previous: { waf: 'on', groups: { drupal: 'on', specials: 'off' } } });
  equal(verdictOf(zone, '/drupal'), 'block by 102');
  equal(verdictOf(zone, '/sql'), 'pass');
});

test('LegacyStep compares the score with what the sensitivity allows, more for scripts in pages', () => {
  const at = (sensitivity: 'high' | 'medium' | 'low' | 'off') =>
    zoneOf({ previous: { waf: 'on', packages: { anomaly: { sensitivity, action: 'block' } } } });
  equal(verdictOf(at('high'), '/queer'), 'block by 981176');
  equal(verdictOf(at('high'), '/odd'), 'pass');
  equal(verdictOf(at('medium'), '/odd-queer'), 'block by 981176');
  equal(verdictOf(at('low'), '/odd-queer'), 'pass');
  equal(verdictOf(at('off'), '/odd-queer'), 'pass');
  equal(verdictOf(at('high'), ajax('/odd-queer')), 'pass');
});

test('LegacyStep simulates a package by logging', () => {
  const packages = { anomaly: { sensitivity: 'high', action: 'simulate' } } as const;
  deepEqual(triggersOf(zoneOf({ previous: { waf: 'on', packages } }), '/queer'), ['log 981176']);
});

test('LegacyStep is switched by the strongest page rule that matches', () => {
  const pageRules = [
    { id: 'a', pattern: 'example.com/shop/admin/*', waf: 'on' },
    { id: 'b', pattern: 'example.com/shop/cache/*', waf: 'unset' },
    { id: 'c', pattern: 'example.com/shop/*', waf: 'off' },
  ] as const;
  const zone = zoneOf({ previous: { waf: 'on', pageRules } });
  equal(verdictOf(zone, '/shop/sql'), 'pass');
  equal(verdictOf(zone, '/shop/admin/sql'), 'block by 100');
  equal(verdictOf(zone, '/shop/cache/sql'), 'block by 100');
  equal(verdictOf(zone, '/sql'), 'block by 100');
  equal(verdictOf(zoneOf({ previous: { waf: 'off', pageRules } }), '/shop/admin/sql'), 'block by 100');
});

test('LegacyStep lets URI overrides change rules, groups and actions', () => {
  const override = { id: 'o', urls: ['example.com/api/*'], groups: {}, rules: {}, rewriteAction: {} };
  const withOverride = (more: Partial<typeof override>) =>
    zoneOf({ previous: { waf: 'on', overrides: [{ ...override, ...more }] } });
  equal(verdictOf(withOverride({ rules: { '100': 'disable' } }), '/api/sql'), 'pass');
  equal(verdictOf(withOverride({ rules: { '100': 'disable' } }), '/sql'), 'block by 100');
  equal(verdictOf(withOverride({ groups: { specials: 'disable' } }), '/api/sql'), 'pass');
  equal(verdictOf(withOverride({ groups: { drupal: 'block' } }), '/api/drupal'), 'block by 102');
  deepEqual(triggersOf(withOverride({ rewriteAction: { block: 'simulate' } }), '/api/sql'), ['log 100']);
});

test('LegacyStep counts rules that a rewritten action brings into force', () => {
  const override = { id: 'o', urls: ['example.com/api/*'], groups: {}, rules: {} };
  const zone = zoneOf({
    previous: { waf: 'on', overrides: [{ ...override, rewriteAction: { disable: 'block' } }] },
  });
  equal(verdictOf(zone, '/api/quiet'), 'block by 104');
  equal(judged(zone, '/').steps.find(({ rulesetId }) => rulesetId === 'traditional')?.ruleCount, 5);
});

test('LegacyStep is bypassed by firewall rules that say so', () => {
  const zone = zoneOf({
    firewallRules: [{ id: 'office', action: 'bypass', products: ['waf'] }],
    previous: { waf: 'on' },
  });
  deepEqual(triggersOf(zone, '/sql'), ['bypass office']);
});

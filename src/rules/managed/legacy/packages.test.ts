import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '#expressions';
import { managedRules, managedRulesets } from '../catalogue.ts';
import { legacyGroups, legacyPackages, legacyRules, findReplaced, findReplacement } from './packages.ts';

const [signatures, scores] = legacyPackages;

test('legacyPackages have the ids and detection modes that clients know', () => {
  deepEqual(
    legacyPackages.map(({ id, name, detectionMode }) => [id, name, detectionMode]),
    [
      ['1e334934fd7ae32ad705667f8c1057aa', 'CloudFlare', 'traditional'],
      ['c504870194831cd12c3fc0284f294abb', 'OWASP', 'anomaly'],
      ['059f5a550fffae09cbb4072edf101bd2', 'USER', 'traditional'],
    ],
  );
});

test('legacyGroups keep well-known ids, and contain every rule of their package once', () => {
  const nameOf = (id: string): string | undefined => legacyGroups.get(id)?.name;
  equal(nameOf('8df6c9aaddcbdf0eceb047bc50873697'), 'Cloudflare Drupal');
  equal(nameOf('07d700cf30fda7548be94ff01087d0c4'), 'OWASP Bad Robots');
  equal(nameOf('d508327aee37c147e03873f79288bb1d'), 'OWASP XSS Attacks');
  equal(nameOf('cfda825dfda411ea218cb70e6c88e82e'), 'OWASP Uri XSS Attacks');
  for (const { groups, rules } of legacyPackages) {
    const held = groups.flatMap(({ ruleIds }) => ruleIds);
    deepEqual(held.toSorted(), rules.map(({ id }) => id).toSorted());
    for (const { id, ruleIds, defaultMode } of groups) {
      match(id, /^[0-9a-f]{32}$/);
      equal(defaultMode, 'on');
      for (const ruleId of ruleIds) equal(legacyRules.get(ruleId)?.groupId, id);
    }
  }
});

test('legacyRules have unique ids, priorities in order and expressions that parse', () => {
  equal(legacyRules.size, signatures!.rules.length + scores!.rules.length);
  for (const { rules } of legacyPackages) {
    const priorities = rules.map(({ priority }) => Number(priority));
    deepEqual(
      priorities,
      priorities.toSorted((a, b) => a - b),
    );
    equal(new Set(priorities).size, priorities.length);
  }
  for (const { id, expression } of signatures!.rules) equal(parse(expression!).ok, true, id);
});

test('legacyRules that ignore the setting of the zone are these three', () => {
  const ignoring = [...legacyRules.values()].filter(({ ignoresSwitch }) => ignoresSwitch);
  deepEqual(ignoring.map(({ id }) => id).toSorted(), ['100030', '100043A', 'WP0025B']);
});

test('legacyRules act by default as the rules that replace them', () => {
  const modes = { block: 'block', log: 'simulate', managed_challenge: 'challenge' } as const;
  for (const { id, kind, defaultMode } of signatures!.rules) {
    const { rule } = managedRules.get(findReplacement(id)!)!;
    equal(kind, 'deny');
    equal(defaultMode, rule.enabled ? modes[rule.action as keyof typeof modes] : 'disable');
  }
  for (const rule of scores!.rules) equal(rule.kind === 'anomaly' && rule.score > 0, true);
});

test('findReplacement maps the package of signatures onto the managed ruleset, one to one', () => {
  const { rules } = managedRulesets.get('efb7b8c949ac4650a09736fc376e9aee')!;
  deepEqual(
    signatures!.rules.map(({ id }) => findReplacement(id)),
    rules.map(({ id }) => id),
  );
  for (const { id } of signatures!.rules) equal(findReplaced(findReplacement(id)!), id);
  for (const { id } of scores!.rules) equal(findReplacement(id), undefined);
  equal(findReplacement('100015') === undefined, false);
});

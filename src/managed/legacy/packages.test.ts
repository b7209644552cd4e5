import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '#expressions';
import { managedRules, managedRulesets } from '../catalogue.ts';
import { previousGroups, previousPackages, previousRules, replacedBy, replacementOf } from './packages.ts';

const [signatures, scores] = previousPackages;

test('previousPackages have the ids and detection modes that clients know', () => {
  deepEqual(
    previousPackages.map(({ id, name, detectionMode }) => [id, name, detectionMode]),
    [
      ['1e334934fd7ae32ad705667f8c1057aa', 'CloudFlare', 'traditional'],
      ['c504870194831cd12c3fc0284f294abb', 'OWASP', 'anomaly'],
      ['059f5a550fffae09cbb4072edf101bd2', 'USER', 'traditional'],
    ],
  );
});

test('previousGroups keep well-known ids, and hold every rule of their package once', () => {
  const nameOf = (id: string): string | undefined => previousGroups.get(id)?.name;
  equal(nameOf('8df6c9aaddcbdf0eceb047bc50873697'), 'Cloudflare Drupal');
  equal(nameOf('07d700cf30fda7548be94ff01087d0c4'), 'OWASP Bad Robots');
  equal(nameOf('d508327aee37c147e03873f79288bb1d'), 'OWASP XSS Attacks');
  equal(nameOf('cfda825dfda411ea218cb70e6c88e82e'), 'OWASP Uri XSS Attacks');
  for (const { groups, rules } of previousPackages) {
    const held = groups.flatMap(({ ruleIds }) => ruleIds);
    deepEqual(held.toSorted(), rules.map(({ id }) => id).toSorted());
    for (const { id, ruleIds, defaultMode } of groups) {
      match(id, /^[0-9a-f]{32}$/);
      equal(ruleIds.length > 0, true);
      equal(defaultMode, 'on');
      for (const ruleId of ruleIds) equal(previousRules.get(ruleId)?.groupId, id);
    }
  }
});

test('previousRules have ids of their own, priorities in order and expressions that parse', () => {
  equal(previousRules.size, signatures!.rules.length + scores!.rules.length);
  for (const { rules } of previousPackages) {
    const priorities = rules.map(({ priority }) => Number(priority));
    deepEqual(
      priorities,
      priorities.toSorted((a, b) => a - b),
    );
    equal(new Set(priorities).size, priorities.length);
  }
  for (const { id, expression } of previousRules.values()) equal(parse(expression).ok, true, id);
});

test('previousRules that ignore the setting of the zone are those three', () => {
  const ignoring = [...previousRules.values()].filter(({ ignoresSwitch }) => ignoresSwitch);
  deepEqual(ignoring.map(({ id }) => id).toSorted(), ['100030', '100043A', 'WP0025B']);
});

test('previousRules act by default as the rules that replace them do', () => {
  const modes = { block: 'block', log: 'simulate', managed_challenge: 'challenge' } as const;
  for (const { id, kind, defaultMode } of signatures!.rules) {
    const { rule } = managedRules.get(replacementOf(id)!)!;
    equal(kind, 'deny');
    equal(defaultMode, rule.enabled ? modes[rule.action as keyof typeof modes] : 'disable');
  }
  for (const rule of scores!.rules) equal(rule.kind === 'anomaly' && rule.score > 0, true);
});

test('replacementOf maps the package of signatures onto the managed ruleset, one to one', () => {
  const { rules } = managedRulesets.get('efb7b8c949ac4650a09736fc376e9aee')!;
  deepEqual(
    signatures!.rules.map(({ id }) => replacementOf(id)),
    rules.map(({ id }) => id),
  );
  for (const { id } of signatures!.rules) equal(replacedBy(replacementOf(id)!), id);
  for (const { id } of scores!.rules) equal(replacementOf(id), undefined);
  equal(replacementOf('100015') === undefined, false);
});

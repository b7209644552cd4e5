/** Overrides as the page of the managed rules edits and shows them, compared with the judge's interpretation. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { resolveOverrides } from '#rulesets';
import { managedRulesets } from '#managed';
import { owaspRulesetId } from '../../src/browser/page/api/managed/ids.ts';
import {
  editCategory,
  editRule,
  editRuleset,
  findRuleOverride,
  type Overrides,
  readParanoiaLevel,
  removeCategory,
  resolveInherited,
  setParanoiaLevel,
  tidyOverrides,
} from '../../src/browser/page/api/managed/overrides.ts';

const rules = [...managedRulesets.get('efb7b8c949ac4650a09736fc376e9aee')!.rules.values()];

test('resolveInherited shows for every rule what the judge would do', () => {
  const [first, second] = rules as [(typeof rules)[number], (typeof rules)[number]];
  const drafts: readonly Overrides[] = [
    {},
    editRuleset({}, { action: 'log' }),
    editCategory(editCategory({}, 'rce', { enabled: false }), 'apache-struts', {
      enabled: true,
      action: 'block',
    }),
    editCategory(editCategory({}, 'apache-struts', { enabled: true }), 'rce', { enabled: false }),
    editRule(editRuleset({}, { enabled: false }), first.id, { enabled: true }),
    editRule(editCategory({}, 'rce', { action: 'log' }), second.id, { action: 'challenge' }),
  ];
  for (const overrides of drafts) {
    const judged = resolveOverrides(
      rules.map(({ id, action, enabled, categories }) => ({ id, action, enabled, categories })),
      overrides as Parameters<typeof resolveOverrides>[1],
    );
    for (const rule of rules) {
      const shown = { ...resolveInherited(rule, overrides), ...findRuleOverride(overrides, rule.id) };
      const { enabled, action } = judged.get(rule.id)!;
      deepEqual([shown.enabled, shown.action], [enabled, action], `${rule.id} ${JSON.stringify(overrides)}`);
    }
  }
});

test('setParanoiaLevel turns off the levels above and leaves other overrides alone', () => {
  const before: Overrides = { categories: [{ category: 'attack-sqli', enabled: false }] };
  const second = setParanoiaLevel(before, 2);
  deepEqual(second.categories, [
    { category: 'attack-sqli', enabled: false },
    { category: 'paranoia-level-3', enabled: false },
    { category: 'paranoia-level-4', enabled: false },
  ]);
  equal(readParanoiaLevel(second), 2);
  deepEqual(tidyOverrides(setParanoiaLevel(second, 4)), before);
  equal(readParanoiaLevel({}), 4);
  equal(managedRulesets.has(owaspRulesetId), true);
});

test('tidyOverrides leaves out what overrides nothing, which the API would refuse', () => {
  const overrides = editRule(editCategory({}, 'rce', {}), 'x', { action: 'log' });
  equal(tidyOverrides(editRule(overrides, 'x', { action: undefined })), undefined);
  equal(tidyOverrides(removeCategory(editCategory({}, 'rce', { enabled: true }), 'rce')), undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blockRule, rulesetOf, stampsOf } from '../testing.ts';
import { diffRulesets, vanishedRules } from './diff.ts';
import { addRule, changeRuleset, editRule, removeRule } from './edit-ruleset.ts';

const stamp = stampsOf();
const letters = ['a', 'b', 'c', 'd', 'e'];
const ruleset = rulesetOf(
  letters.map((ref) => blockRule({ ref })),
  stamp(),
);
const nothing = { fields: [], added: [], removed: [], changed: [], moved: [] };

test('diffRulesets finds nothing between versions that say the same', () => {
  assert.deepEqual(diffRulesets(ruleset, changeRuleset(ruleset, {}, stamp())), nothing);
});

test('diffRulesets tells what was added, removed, changed and moved', () => {
  const [a, b, c] = ruleset.rules;
  let next = removeRule(ruleset, a!.id, stamp());
  next = addRule(next, { draft: blockRule({ ref: 'x' }), position: { index: 1 } }, stamp());
  const draft = blockRule({ ref: 'b', expression: 'ssl', description: 'd' });
  next = editRule(next, { ruleId: b!.id, edit: { draft } }, stamp());
  next = editRule(next, { ruleId: c!.id, edit: { position: { after: '' } } }, stamp());
  next = changeRuleset(next, { description: 'all of it' }, stamp());
  assert.deepEqual(diffRulesets(ruleset, next), {
    fields: [{ field: 'description', before: '', after: 'all of it' }],
    added: [next.rules[0]],
    removed: [a],
    changed: [
      {
        id: b!.id,
        fields: [
          { field: 'expression', before: b!.expression, after: 'ssl' },
          { field: 'description', after: 'd' },
        ],
      },
    ],
    moved: [{ id: c!.id, from: 3, to: 5 }],
  });
  assert.deepEqual(vanishedRules(ruleset, next), [a]);
});

test('diffRulesets explains any order with rules that stay in order and rules that move', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(letters), (order) => {
      const next = changeRuleset(ruleset, { rules: order.map((ref) => blockRule({ ref })) }, stamp());
      const { moved, removed } = diffRulesets(ruleset, next);
      const movedIds = new Set(moved.map(({ id }) => id));
      const stayed = next.rules.filter(({ id }) => !movedIds.has(id)).map(({ ref }) => ref);
      assert.deepEqual(stayed, stayed.toSorted());
      assert.equal(removed.length + next.rules.length, letters.length);
      for (const { id, from, to } of moved) {
        assert.equal(ruleset.rules[from - 1]!.id, id);
        assert.equal(next.rules[to - 1]!.id, id);
      }
      const isSorted = order.every((ref, index) => index === 0 || order[index - 1]! < ref);
      assert.equal(moved.length === 0, isSorted);
    }),
  );
});

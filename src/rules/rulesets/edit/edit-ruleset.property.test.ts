/** Random histories of a ruleset, through the checks and the edits as the API runs them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkRuleAddition, checkRuleEdit, checkRulesetChange, checkRulesetDraft } from '../check/ruleset.ts';
import type { Ruleset } from '../model.ts';
import type { Checked } from '#shapes';
import { contextOf, customPhase, rulesetOf, stampsOf, valueOf } from '../testing.ts';
import { diffRulesets, isSameRule } from './diff.ts';
import { addRule, changeRuleset, editRule, removeRule, restoreRuleset, type Stamp } from './edit-ruleset.ts';

const context = contextOf();
const ruleIndex = fc.nat({ max: 7 });

const rule = fc.record(
  {
    action: fc.constantFrom('block', 'challenge', 'log'),
    expression: fc.constantFrom('ssl', 'not ssl', 'http.host eq "a"'),
    description: fc.constantFrom('', 'd'),
    ref: fc.constantFrom('', 'r1', 'r2', 'r3'),
    enabled: fc.boolean(),
  },
  { requiredKeys: ['action', 'expression'] },
);

const position = fc.oneof(
  fc.record({ index: fc.integer({ min: 0, max: 5 }) }),
  fc.constantFrom({ before: '' }, { after: '' }),
);

type Step = (ruleset: Ruleset, stamp: Stamp, history: readonly Ruleset[]) => Ruleset;

/** A refused change has no effect. */
function applied<T>(ruleset: Ruleset, checked: Checked<T>, apply: (value: T) => Ruleset): Ruleset {
  return checked.ok ? apply(checked.value) : ruleset;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(rule, fc.option(position, { nil: undefined })).map(([draft, place]): Step => {
    const body = place === undefined ? draft : { ...draft, position: place };
    return (ruleset, stamp) =>
      applied(ruleset, checkRuleAddition(body, ruleset, context), (addition) =>
        addRule(ruleset, addition, stamp),
      );
  }),
  fc.tuple(ruleIndex, fc.oneof(rule, fc.record({ position }))).map(([index, body]): Step => {
    return (ruleset, stamp) => {
      const ruleId = ruleset.rules[index]?.id;
      if (ruleId === undefined) return ruleset;
      const checked = checkRuleEdit(body, { ruleset, ruleId }, context);
      return applied(ruleset, checked, (edit) => editRule(ruleset, { ruleId, edit }, stamp));
    };
  }),
  ruleIndex.map((index): Step => {
    return (ruleset, stamp) =>
      index < ruleset.rules.length ? removeRule(ruleset, ruleset.rules[index]!.id, stamp) : ruleset;
  }),
  fc.array(fc.tuple(rule, fc.option(ruleIndex)), { maxLength: 5 }).map((drafts): Step => {
    return (ruleset, stamp) => {
      const rules = drafts.map(([draft, index]) => ({
        ...draft,
        id: index === null ? '' : (ruleset.rules[index]?.id ?? 'f'.repeat(32)),
      }));
      return applied(ruleset, checkRulesetChange({ rules }, ruleset, context), (change) =>
        changeRuleset(ruleset, change, stamp),
      );
    };
  }),
  ruleIndex.map((index): Step => {
    return (ruleset, stamp, history) => restoreRuleset(ruleset, history[index % history.length]!, stamp);
  }),
);

function assertFollows(before: Ruleset, after: Ruleset): void {
  for (const key of ['id', 'ref'] as const) {
    assert.equal(new Set(after.rules.map((rule) => rule[key])).size, after.rules.length, `${key} is unique`);
  }
  assert.equal(after.version, before === after ? before.version : String(Number(before.version) + 1));
  const earlier = new Map(before.rules.map((rule) => [rule.id, rule]));
  for (const rule of after.rules) {
    const was = earlier.get(rule.id);
    if (was === undefined) continue;
    const isSame = isSameRule(was, rule);
    assert.equal(Number(rule.version) - Number(was.version), isSame ? 0 : 1);
    assert.equal(rule.last_updated, isSame ? was.last_updated : after.last_updated);
  }
}

test('edits keep ids and refs unique, and versions in step with what changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const stamp = stampsOf();
      const history = [rulesetOf([], stamp())];
      for (const apply of steps) {
        const before = history.at(-1)!;
        const after = apply(before, stamp(), history);
        assertFollows(before, after);
        history.push(after);
      }
      const last = history.at(-1)!;
      // Emitted rules can be sent back, with or without the fields that the service added, and then stay the same.
      const bare = last.rules.map(({ id: _id, ref: _ref, version: _version, ...rule }) => rule);
      for (const sent of [last, { rules: bare }]) {
        const sentBack = JSON.parse(JSON.stringify(sent)) as unknown;
        const again = changeRuleset(last, valueOf(checkRulesetChange(sentBack, last, context)), stamp());
        assert.deepEqual(again.rules, last.rules);
        const { added, removed, changed, moved } = diffRulesets(last, again);
        assert.deepEqual([added, removed, changed, moved], [[], [], [], []]);
      }
    }),
    { numRuns: 200 },
  );
});

test('checks answer for any JSON and never throw', () => {
  const anything = fc.jsonValue({ maxDepth: 4 });
  const almost = fc.record(
    {
      name: fc.oneof(fc.constant('x'), anything),
      kind: fc.oneof(fc.constant('zone'), anything),
      phase: fc.oneof(fc.constant(customPhase), fc.constant('http_request_transform'), anything),
      rules: fc.oneof(
        fc.array(
          fc.record({
            action: fc.oneof(fc.constantFrom('block', 'skip', 'execute'), anything),
            expression: fc.oneof(fc.constant('ssl'), anything),
            action_parameters: fc.oneof(
              anything,
              fc.dictionary(fc.constantFrom('response', 'rules', 'phases', 'id', 'overrides'), anything),
            ),
          }),
          { maxLength: 3 },
        ),
        anything,
      ),
    },
    { requiredKeys: [] },
  );
  const ruleset = rulesetOf([], stampsOf()());
  fc.assert(
    fc.property(fc.oneof(anything, almost), (body) => {
      for (const checked of [
        checkRulesetDraft(body, context),
        checkRulesetChange(body, ruleset, context),
        checkRuleAddition(body, ruleset, context),
      ]) {
        if (checked.ok) continue;
        assert.ok(checked.problems.length > 0);
        for (const { pointer } of checked.problems) assert.match(pointer, /^(?:\/[^]*)?$/);
      }
    }),
    { numRuns: 300 },
  );
});

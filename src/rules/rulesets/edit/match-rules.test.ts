import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleDraft, RulesetRule } from '../model.ts';
import { matchRules } from './match-rules.ts';

/** The expression matches `host`. */
function stored(id: string, host: string, more: Partial<RulesetRule> = {}): RulesetRule {
  return { id, version: '1', last_updated: '', ref: id, ...draft(host), ...more } as RulesetRule;
}

function draft(host: string, more: Partial<RuleDraft> = {}): RuleDraft {
  return { action: 'block', expression: `http.host eq "${host}"`, enabled: true, ...more };
}

function matched(rules: readonly RulesetRule[], drafts: readonly RuleDraft[]): readonly string[] {
  return matchRules(rules, drafts).map((match) => (match ? `${match.rule.id} as ${match.ref}` : 'another'));
}

test('matchRules gives each rule once, in order, to drafts that say the same', () => {
  const rules = [stored('1', 'a'), stored('2', 'b'), stored('3', 'a')];
  deepEqual(matched(rules, [draft('a'), draft('b'), draft('a')]), ['1 as 1', '2 as 2', '3 as 3']);
  deepEqual(matched(rules, [draft('new'), draft('a'), draft('a'), draft('a')]), [
    'another',
    '1 as 1',
    '3 as 3',
    'another',
  ]);
});

test('matchRules prefers a rule that says all of it, and else takes one that does the same', () => {
  const rules = [stored('1', 'a'), stored('2', 'a', { enabled: false, description: 'd' })];
  deepEqual(matched(rules, [draft('a', { enabled: false, description: 'd' }), draft('a')]), [
    '2 as 2',
    '1 as 1',
  ]);
  deepEqual(matched(rules, [draft('a', { description: 'e' })]), ['1 as 1']);
  deepEqual(matched(rules, [draft('a', { action: 'log' })]), ['another']);
});

test('matchRules compares parameters whatever the order of their keys', () => {
  const overrides = { rules: [{ id: 'x', action: 'log', enabled: true }], action: 'block' } as const;
  const turned = { action: 'block', rules: [{ enabled: true, id: 'x', action: 'log' }] } as const;
  const rules = [stored('1', 'a', { action_parameters: { id: 'm', overrides } })];
  deepEqual(matched(rules, [draft('a', { action_parameters: { overrides: turned, id: 'm' } })]), ['1 as 1']);
});

test('matchRules takes a draft with a ref of its own for another rule', () => {
  deepEqual(matched([stored('1', 'a')], [draft('a', { ref: 'mine' })]), ['another']);
  deepEqual(matched([stored('1', 'a', { ref: 'mine' })], [draft('a')]), ['1 as mine']);
});

test('matchRules lets ids and refs choose first, and keeps refs unique', () => {
  const rules = [stored('1', 'a', { ref: 'x' }), stored('2', 'b', { ref: 'y' })];
  deepEqual(matched(rules, [draft('a'), draft('a', { id: '1', ref: 'x' })]), ['another', '1 as x']);
  deepEqual(matched(rules, [draft('a'), draft('c', { ref: 'x' })]), ['another', '1 as x']);
  // Its ref now belongs to another rule.
  deepEqual(matched(rules, [draft('a'), draft('b', { id: '2', ref: 'x' })]), ['1 as 1', '2 as x']);
  // The same with its id, used as a ref.
  const named = [stored('1', 'a'), stored('2', 'b')];
  deepEqual(matched(named, [draft('a'), draft('b', { id: '2', ref: '1' })]), ['another', '2 as 1']);
});

import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { findIdleSkips } from './idle-skips.ts';
import type { Ruleset, RulesetRule } from './model.ts';

type Given = Pick<RulesetRule, 'action'> & Partial<RulesetRule>;

function rulesetOf(rules: readonly Given[], phase = 'http_request_firewall_managed'): Ruleset {
  return {
    id: 'ruleset',
    name: 'default',
    description: '',
    kind: 'zone',
    version: '1',
    last_updated: '',
    phase,
    rules: rules.map((rule, index) => ({
      id: `rule ${index + 1}`,
      version: '1',
      expression: 'true',
      last_updated: '',
      ref: '',
      enabled: true,
      ...rule,
    })),
  };
}

const execute = (id: string): Given => ({ action: 'execute', action_parameters: { id } });
const skip = (parameters: object, more: object = {}): Given => ({
  action: 'skip',
  action_parameters: { ...parameters },
  ...more,
});

function idleOf(...rules: readonly Given[]): readonly unknown[] {
  return findIdleSkips(rulesetOf(rules)).map(({ place, rulesetIds }) => [place, ...rulesetIds]);
}

test('findIdleSkips finds exceptions behind everything that they could be exceptions from', () => {
  const all = skip({ ruleset: 'current' });
  deepEqual(idleOf(execute('a'), all), [[2]]);
  deepEqual(idleOf(all), [[1]]);
  deepEqual(idleOf(all, execute('a'), execute('b')), []);
  deepEqual(idleOf(execute('a'), all, execute('b')), []);
  deepEqual(idleOf(execute('a'), skip({ ruleset: 'current' }, { enabled: false })), []);
});

test('findIdleSkips names the rulesets that are executed before the exception, or not at all', () => {
  deepEqual(idleOf(execute('a'), skip({ rulesets: ['a'] }), execute('b')), [[2, 'a']]);
  deepEqual(idleOf(execute('a'), skip({ rulesets: ['a', 'b', 'c'] }), execute('b')), [[2, 'a', 'c']]);
  deepEqual(idleOf(execute('a'), skip({ rules: { a: ['1'], b: ['2'] } }), execute('b')), [[2, 'a']]);
  deepEqual(idleOf(skip({ rulesets: ['a'] }), execute('a')), []);
});

test('findIdleSkips has nothing to say of rules that skip the rest of a list of their own', () => {
  const rules = [skip({ ruleset: 'current' })];
  deepEqual(findIdleSkips(rulesetOf(rules, 'http_request_firewall_custom')), []);
  deepEqual(findIdleSkips(rulesetOf(rules, 'http_ratelimit')), []);
});

test('findIdleSkips says in front of which rule an exception that never acts would', () => {
  const late = (...rules: readonly Given[]): unknown =>
    findIdleSkips(rulesetOf(rules)).at(-1)?.lateFor?.ruleId;
  deepEqual(late(execute('a'), execute('b'), skip({ rulesets: ['b'] })), 'rule 2');
  deepEqual(late(execute('a'), execute('b'), skip({ rules: { a: ['1'], b: ['2'] } })), 'rule 1');
  deepEqual(late(execute('a'), skip({ ruleset: 'current' })), 'rule 1');
  // It acts on the other one.
  deepEqual(late(execute('a'), skip({ rulesets: ['a', 'b'] }), execute('b')), undefined);
  // It has no effect in any position.
  deepEqual(late(execute('a'), skip({ rulesets: ['b'] })), undefined);
});

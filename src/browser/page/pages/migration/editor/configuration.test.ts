import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { type EntryRule, toSentRule } from '../../../api/managed/entry-point.ts';
import { mergeOverride, overrideRule, readConfiguration, readRule, toDraft } from './configuration.ts';

const execution: EntryRule = {
  action: 'execute',
  expression: 'true',
  enabled: true,
  action_parameters: { id: 'set' },
};

test('overrides are set, merged and removed without touching others', () => {
  const one = overrideRule(execution, 'a', { action: 'log', enabled: true });
  const two = mergeOverride(overrideRule(one, 'b', { enabled: false }), 'a', { enabled: false });
  deepEqual(two.action_parameters?.overrides, {
    rules: [
      { id: 'a', action: 'log', enabled: false },
      { id: 'b', enabled: false },
    ],
  });
  deepEqual(overrideRule(overrideRule(two, 'a'), 'b'), execution);
});

test('readRule takes a rule and says what is wrong with anything else', () => {
  for (const text of [
    '',
    '[]',
    'null',
    '1',
    '{"action":"skip"}',
    '{"action":"skip","expression":"true","enabled":1}',
  ])
    ok('problem' in readRule(text), text);
  deepEqual(readRule('{"action":"skip","expression":"true"}'), {
    action: 'skip',
    expression: 'true',
    enabled: true,
  });
});

test('toSentRule leaves out what the server writes, and keeps the id of a rule that exists', () => {
  const written = { ...execution, id: '', ref: '', version: '', last_updated: 'x' };
  deepEqual(toSentRule(written), execution);
  equal(toSentRule({ ...execution, id: 'x' }).id, 'x');
});

test('readConfiguration has the rules of a draft, and none while a text is no rule', () => {
  const draft = toDraft([execution]);
  deepEqual(readConfiguration(draft), [execution]);
  equal(readConfiguration({ rules: [{ ...draft.rules[0]!, json: '{' }] }), undefined);
});

/** The parts of the migration's page that need no browser. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { migrationCodes, migrationLossCodes } from '#contract';
import { findAdvice, isLoss } from '../../src/page/pages/migration/advice.ts';
import {
  type ConfiguredRule,
  mergeOverride,
  overrideRule,
  readParanoiaLevel,
  readRule,
  setParanoiaLevel,
  toSentRule,
} from '../../src/page/pages/migration/editor/configuration.ts';
import { choosePollMs } from '../../src/page/pages/migration/migration-state.ts';

test('findAdvice knows every refusal that a reader of the page can meet, and every loss', () => {
  // The page always sends phase_two.
  const refusals = Object.values(migrationCodes).filter(({ code }) => code !== 10701);
  for (const { code } of refusals) ok(findAdvice(code) !== undefined && !isLoss(code), String(code));
  for (const { code } of Object.values(migrationLossCodes))
    ok(findAdvice(code) !== undefined && isLoss(code));
});

const execution: ConfiguredRule = {
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
  deepEqual(overrideRule(overrideRule(two, 'a', undefined), 'b', undefined), execution);
});

test('setParanoiaLevel turns the levels above it off and leaves other categories', () => {
  const rule: ConfiguredRule = {
    ...execution,
    action_parameters: { id: 'set', overrides: { categories: [{ category: 'sqli', action: 'log' }] } },
  };
  for (const level of [1, 2, 3, 4]) equal(readParanoiaLevel(setParanoiaLevel(rule, level)), level);
  deepEqual(setParanoiaLevel(setParanoiaLevel(rule, 1), 4), rule);
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
  equal(toSentRule({ ...execution, id: 'x' })['id'], 'x');
});

test('choosePollMs asks soon while the last step is under way, and less and less often', () => {
  equal(choosePollMs('pending', 0), 500);
  ok(choosePollMs('pending', 3) > choosePollMs('pending', 2));
  equal(choosePollMs('pending', 1000), 30_000);
  equal(choosePollMs('start', 1000), 30_000);
});

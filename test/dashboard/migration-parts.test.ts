/** The parts of the migration's page that need no browser. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { migrationCodes, migrationLossCodes } from '#api';
import { scoreRuleId } from '../../src/dashboard/page/api/managed-rulesets.ts';
import { findAdvice, isLoss } from '../../src/dashboard/page/pages/migration/advice.ts';
import { compareGenerations, type LoggedEvent } from '../../src/dashboard/page/pages/migration/comparison.ts';
import {
  type ConfiguredRule,
  mergeOverride,
  overrideRule,
  readParanoiaLevel,
  readRule,
  setParanoiaLevel,
  toSentRule,
} from '../../src/dashboard/page/pages/migration/editor/configuration.ts';
import { choosePollMs } from '../../src/dashboard/page/pages/migration/migration-state.ts';

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
const catalogue = new Map([
  [
    'set',
    new Map([
      ['a', { action: 'block', enabled: true, categories: ['sqli'] }],
      [scoreRuleId, { action: 'block', enabled: true }],
    ]),
  ],
]);

function recordEvent(ray: string, more: Partial<LoggedEvent>): LoggedEvent {
  return {
    id: `${ray}-${more.source}-${more.ruleId}`,
    datetime: '2026-01-01T00:00:00Z',
    action: 'log',
    source: 'firewallManaged',
    ruleId: 'a',
    rulesetId: 'set',
    description: '',
    matchIndex: 0,
    rayName: ray,
    clientIP: '192.0.2.1',
    clientRequestHTTPMethodName: 'GET',
    clientRequestPath: '/',
    clientRequestQuery: '',
    ...more,
  };
}

function compare(events: readonly LoggedEvent[], rule: ConfiguredRule): readonly unknown[] {
  const compared = compareGenerations(events, { rules: [rule], catalogue });
  return compared.map(({ ray, kind, previous, next }) => [ray, kind, previous.outcome, next.outcome]);
}

test('compareGenerations reads what watched rules would do from the configuration, and puts differences first', () => {
  const events = [
    recordEvent('same', { matchIndex: 1 }),
    recordEvent('same', { source: 'waf', action: 'block' }),
    recordEvent('only-new', {}),
    recordEvent('only-previous', { source: 'waf', action: 'challenge' }),
    recordEvent('acted', { action: 'block' }),
    recordEvent('solved', { action: 'challengebypassed', rulesetId: 'unknown', matchIndex: 1 }),
    recordEvent('solved', { source: 'waf', action: 'jschallengebypassed' }),
  ];
  deepEqual(compare(events, execution), [
    ['only-new', 'differs', 'pass', 'block'],
    ['only-previous', 'differs', 'challenge', 'pass'],
    ['acted', 'unknown', 'not asked', 'block'],
    ['same', 'agrees', 'block', 'block'],
    ['solved', 'agrees', 'challenge', 'challenge'],
  ]);
});

test('compareGenerations counts requests that are alike as one, and keeps the newest', () => {
  const events = [
    recordEvent('newest', {}),
    recordEvent('elsewhere', { clientRequestPath: '/x' }),
    recordEvent('older', {}),
    recordEvent('seen-by-both', { matchIndex: 1 }),
    recordEvent('seen-by-both', { source: 'waf', action: 'log' }),
  ];
  const compared = compareGenerations(events, { rules: [execution], catalogue });
  deepEqual(
    compared.map(({ ray, times }) => [ray, times]),
    [
      ['newest', 2],
      ['elsewhere', 1],
      ['seen-by-both', 1],
    ],
  );
});

test('compareGenerations follows overrides of the rule, its category and the ruleset, and the threshold', () => {
  const event = recordEvent('one', {});
  const outcome = (rule: ConfiguredRule, seen = event): unknown => (compare([seen], rule)[0] as unknown[])[3];
  const withOverrides = (overrides: object): ConfiguredRule => ({
    ...execution,
    action_parameters: { id: 'set', overrides },
  });
  equal(outcome(withOverrides({ action: 'log' })), 'log');
  equal(
    outcome(withOverrides({ action: 'log', categories: [{ category: 'sqli', action: 'challenge' }] })),
    'challenge',
  );
  equal(
    outcome(
      withOverrides({
        categories: [{ category: 'sqli', enabled: false }],
        rules: [{ id: 'a', enabled: true }],
      }),
    ),
    'block',
  );
  equal(outcome(withOverrides({ rules: [{ id: 'a', enabled: false }] })), 'pass');
  equal(outcome({ ...execution, enabled: false }), 'pass');
  const scored = recordEvent('two', { ruleId: scoreRuleId, metadata: [{ key: 'waf_score', value: '30' }] });
  equal(outcome(withOverrides({ rules: [{ id: scoreRuleId, score_threshold: 25 }] }), scored), 'block');
  equal(outcome(withOverrides({ rules: [{ id: scoreRuleId, score_threshold: 40 }] }), scored), 'pass');
});

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

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { unconfirmedNote } from '#firewall';
import { managedRulesets, rulesetIds } from '#managed';
import { createEvent } from '../../src/traffic/events/testing.ts';
import {
  compareGenerations,
  type ComparedEvent,
  type ExecutingRule,
} from '../../src/api/control/migration/comparison.ts';

const blocking = managedRulesets
  .get(rulesetIds.managed)!
  .rules.find(({ action, enabled }) => action === 'block' && enabled)!;
const scoreRule = managedRulesets
  .get(rulesetIds.owasp)!
  .rules.find(({ scoreThreshold }) => scoreThreshold !== undefined)!;

function execute(id: string = rulesetIds.managed, overrides?: object, enabled = true): ExecutingRule {
  const action_parameters = { id, ...(overrides === undefined ? {} : { overrides }) };
  return { action: 'execute', enabled, action_parameters };
}

/** A watched rule, by default. */
function record(ray: string, more: Partial<ComparedEvent> = {}): ComparedEvent {
  return createEvent(`${ray}-${more.source}-${more.ruleId}`, {
    rayName: ray,
    action: 'log',
    source: 'firewallManaged',
    ruleId: blocking.id,
    rulesetId: rulesetIds.managed,
    ...more,
  });
}

function compare(
  events: readonly ComparedEvent[],
  rules: readonly ExecutingRule[] = [execute()],
  logsUnconfirmed = false,
) {
  return compareGenerations(events, { rules, logsUnconfirmed }, 1_000);
}

test('compareGenerations reads what watched rules would do from the configuration, and puts differences first', () => {
  const { compared, ...counts } = compare([
    record('same', { matchIndex: 1 }),
    record('same', { source: 'waf', action: 'block' }),
    record('only-new'),
    record('only-previous', { source: 'waf', action: 'challenge' }),
    record('acted', { action: 'block' }),
    record('solved', { action: 'challengebypassed', rulesetId: 'unknown', matchIndex: 1 }),
    record('solved', { source: 'waf', action: 'jschallengebypassed' }),
  ]);
  deepEqual(
    compared.map(({ ray, verdict, previous, next }) => [ray, verdict, previous.outcome, next.outcome]),
    [
      ['only-new', 'differs', 'pass', 'block'],
      ['only-previous', 'differs', 'challenge', 'pass'],
      ['acted', 'unknown', 'not asked', 'block'],
      ['same', 'agrees', 'block', 'block'],
      ['solved', 'agrees', 'challenge', 'challenge'],
    ],
  );
  deepEqual(counts, { requests: 5, differ: 2, unknown: 1, agree: 2, by_edge: [] });
});

test('compareGenerations counts requests that are alike as one, keeps the newest, and lists as many as it may', () => {
  const events = [
    record('newest'),
    record('elsewhere', { clientRequestPath: '/x' }),
    record('older'),
    record('seen-by-both', { matchIndex: 1 }),
    record('seen-by-both', { source: 'waf', action: 'log' }),
  ];
  const { compared, requests } = compare(events);
  deepEqual(
    compared.map(({ ray, times }) => [ray, times]),
    [
      ['newest', 2],
      ['elsewhere', 1],
      ['seen-by-both', 1],
    ],
  );
  equal(requests, 4);
  const cut = compareGenerations(events, { rules: [execute()], logsUnconfirmed: false }, 1);
  deepEqual([cut.compared.length, cut.requests], [1, 4]);
});

test('compareGenerations counts what the edge itself refuses apart from what rules do', () => {
  const byEdge = { rulesetId: '', action: 'block' };
  const { by_edge, requests, compared } = compare([
    record('path', { ...byEdge, ruleId: 'ambiguous-path', description: 'two readings' }),
    record('long', { ...byEdge, ruleId: 'inspection-limit', description: 'too long', matchIndex: 0 }),
    record('long', { source: 'waf', action: 'log', matchIndex: 1 }),
    record('long-again', { ...byEdge, ruleId: 'inspection-limit', description: 'too long' }),
    record('logged', { rulesetId: '', ruleId: 'inspection-limit', matchIndex: 0 }),
    record('logged', { source: 'waf', action: 'block', matchIndex: 1 }),
  ]);
  deepEqual(
    by_edge.map((each) => [each.rule_id, each.action, each.requests]),
    [
      ['inspection-limit', 'block', 2],
      ['ambiguous-path', 'block', 1],
      ['inspection-limit', 'log', 1],
    ],
  );
  // A request that the edge let through is compared by its rules.
  deepEqual([requests, compared[0]!.ray, compared[0]!.next.rules], [1, 'logged', []]);
});

test('compareGenerations follows overrides of the rule, its category and the ruleset, and the threshold', () => {
  const outcome = (
    rules: readonly ExecutingRule[],
    event = record('one'),
    logsUnconfirmed = false,
  ): unknown => compare([event], rules, logsUnconfirmed).compared[0]!.next.outcome;
  const withOverrides = (overrides: object): ExecutingRule[] => [execute(rulesetIds.managed, overrides)];
  const category = blocking.categories[0]!;
  equal(outcome(withOverrides({ action: 'log' })), 'log');
  equal(
    outcome(withOverrides({ action: 'log', categories: [{ category, action: 'challenge' }] })),
    'challenge',
  );
  const categories = [{ category, enabled: false }];
  equal(outcome(withOverrides({ categories, rules: [{ id: blocking.id, enabled: true }] })), 'block');
  equal(outcome(withOverrides({ rules: [{ id: blocking.id, enabled: false }] })), 'pass');
  equal(outcome([execute(rulesetIds.managed, undefined, false)]), 'pass');
  const scored = record('two', {
    ruleId: scoreRule.id,
    rulesetId: rulesetIds.owasp,
    metadata: [{ key: 'waf_score', value: '30' }],
  });
  const threshold = (score_threshold: number): ExecutingRule[] => [
    execute(rulesetIds.owasp, { rules: [{ id: scoreRule.id, score_threshold }] }),
  ];
  equal(outcome(threshold(25), scored), 'block');
  equal(outcome(threshold(40), scored), 'pass');
  // A score that no detector confirms is logged, if the zone is configured that way.
  const unconfirmed = { ...scored, description: `949110${unconfirmedNote}` };
  equal(outcome(threshold(25), unconfirmed, true), 'log');
  equal(outcome(threshold(25), unconfirmed), 'block');
});

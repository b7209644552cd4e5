import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, DecidedRequests } from '../../src/program/rehearsal/comparison.ts';
import { suggestEdit } from '../../src/program/rehearsal/suggestions.ts';
import { comparingId, owaspId } from '../control/migrating-zone.ts';

test('suggestEdit excepts the path from the rules that scored before it turns them off everywhere', () => {
  const group: DecidedRequests = {
    kind: 'newlyStopped',
    rule: { id: comparingId, rulesetId: owaspId, source: 'firewallManaged', description: 'Score' },
    count: 3,
    paths: new Map([['/posts', 3]]),
    examples: [],
    scores: { min: 40, max: 45 },
    scoredRules: new Map([['one', { description: 'One', count: 3 }]]),
    actionsBefore: new Set(['pass']),
  };
  const comparison = {
    groups: new Map([['key', group]]),
    stoppedAlike: new Map(),
    scoresAlike: new Map(),
  } as unknown as Comparison;
  const tried = new Set<string>();
  const first = suggestEdit(comparison, tried)!;
  deepEqual(first.edit, {
    kind: 'exception',
    rule: {
      action: 'skip',
      expression: 'http.request.uri.path in {"/posts"}',
      description: 'Exception from a rehearsal: Score',
      enabled: true,
      action_parameters: { rules: { [owaspId]: ['one'] } },
    },
  });
  match(first.title, /^Except a path from 1 of the rules that add to/);
  match(suggestEdit(comparison, tried)!.title, /^Turn off 1 of the rules that add to these scores/);
  match(suggestEdit(comparison, tried)!.title, /^Raise the threshold of “Score” to 46/);
});

import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { toRulesetFields } from './ruleset-fields.ts';

test('toRulesetFields lists headers in the order in which providers 3 and 4 read them', () => {
  const headers = { 'X-B': { operation: 'remove' }, 'X-A': { operation: 'set', value: '1' } };
  const rule = { action: 'rewrite', expression: 'true', action_parameters: { headers } };
  const ruleset = { name: 'default', kind: 'zone', phase: 'http_request_late_transform', rules: [rule] };
  for (const provider of ['3', '4'] as const) {
    const [written] = toRulesetFields(ruleset, provider)['rules'] as readonly (typeof rule)[];
    deepEqual(written!.action_parameters.headers, [
      { name: 'X-A', operation: 'set', value: '1' },
      { name: 'X-B', operation: 'remove' },
    ]);
  }
  const [written] = toRulesetFields(ruleset, '5')['rules'] as readonly (typeof rule)[];
  deepEqual(written!.action_parameters.headers, headers);
});

test('toRulesetFields writes a word for each flag of an override that provider 3 would not send', () => {
  const overrides = {
    enabled: false,
    action: 'log',
    categories: [
      { category: 'wordpress', enabled: true },
      { category: 'joomla', action: 'block' },
    ],
    rules: [{ id: 'a', enabled: false, score_threshold: 25 }],
  };
  const rule = {
    action: 'execute',
    expression: 'true',
    action_parameters: { id: 'r', version: '1', overrides },
  };
  const ruleset = { name: 'default', kind: 'zone', phase: 'http_request_firewall_managed', rules: [rule] };
  const [written] = toRulesetFields(ruleset, '3')['rules'] as readonly (typeof rule)[];
  deepEqual(written!.action_parameters, {
    id: 'r',
    overrides: {
      action: 'log',
      status: 'disabled',
      categories: [
        { category: 'wordpress', status: 'enabled' },
        { category: 'joomla', action: 'block' },
      ],
      rules: [{ id: 'a', score_threshold: 25, status: 'disabled' }],
    },
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../plans/plans.ts';
import { briefly, customId, managedId, owaspId, responseId, thresholdRuleId } from '../testing.ts';
import {
  block,
  check,
  enterpriseOnly,
  execute,
  executes,
  type HomeName,
  overrides,
  response,
  skip,
  skips,
} from './testing.ts';

const refused: readonly [HomeName, unknown, readonly string[], Plan?][] = [
  // block
  [
    'custom',
    { ...block, action_parameters: { response: {} } },
    [
      '20903 /action_parameters/response/status_code',
      '20903 /action_parameters/response/content',
      '20903 /action_parameters/response/content_type',
    ],
  ],
  [
    'custom',
    { ...block, action_parameters: { response: { ...response, status_code: 500 } } },
    ['20904 /action_parameters/response/status_code'],
  ],
  [
    'custom',
    { ...block, action_parameters: { response: { ...response, status_code: 403.5 } } },
    ['20901 /action_parameters/response/status_code'],
  ],
  [
    'custom',
    { ...block, action_parameters: { response: { ...response, content: '' } } },
    ['20904 /action_parameters/response/content'],
  ],
  [
    'custom',
    { ...block, action_parameters: { response: { ...response, content: 'é'.repeat(1025) } } },
    ['20904 /action_parameters/response/content'],
  ],
  [
    'custom',
    { ...block, action_parameters: { response: { ...response, content_type: 'text/css' } } },
    ['20905 /action_parameters/response/content_type'],
  ],
  // skip
  ['custom', skip, ['20903 /action_parameters']],
  ['custom', skips({}), ['20903 /action_parameters']],
  ['custom', skips({ ruleset: 'other' }), ['20905 /action_parameters/ruleset']],
  [
    'custom',
    skips({ rulesets: [managedId] }),
    ['20907 /action_parameters/rulesets', '20910 /action_parameters/rulesets/0'],
  ],
  ['custom', skips({ phases: ['http_request_transform'] }), ['20905 /action_parameters/phases/0']],
  ['custom', skips({ phases: [] }), ['20903 /action_parameters/phases']],
  ['custom', skips({ products: ['waf', 'waf'] }), ['20911 /action_parameters/products/1']],
  ['custom', skips({ products: 'waf' }), ['20901 /action_parameters/products']],
  ['custom', skips({ phase: 'current' }), ['20909 /action_parameters/phase']],
  ['managed', skips({ phases: ['http_ratelimit'] }), ['20907 /action_parameters/phases']],
  ['managed', skips({ products: ['waf'] }), ['20907 /action_parameters/products']],
  ['managed', skips({ ruleset: 'current', rulesets: [managedId] }), ['20909 /action_parameters/rulesets']],
  [
    'managed',
    skips({ ruleset: 'current', rules: { [managedId]: ['m1'] } }),
    ['20909 /action_parameters/rules'],
  ],
  ['managed', skips({ rulesets: ['nope'] }), ['20910 /action_parameters/rulesets/0']],
  ['managed', skips({ rulesets: [responseId] }), ['20907 /action_parameters/rulesets/0']],
  [
    'managed',
    skips({ categories: { [managedId]: ['nope'] } }),
    [`20910 /action_parameters/categories/${managedId}/0`],
  ],
  [
    'managed',
    skips({ ruleset: 'current', categories: { [managedId]: ['sqli'] } }),
    ['20909 /action_parameters/categories'],
  ],
  [
    'managed',
    skips({ rulesets: [managedId], arguments: [{ kind: 'path', name: 'a' }] }),
    ['20905 /action_parameters/arguments/0/kind'],
  ],
  ['managed', skips({ rulesets: [managedId], arguments: [] }), ['20903 /action_parameters/arguments']],
  [
    'managed',
    skips({ ruleset: 'current', arguments: [{ kind: 'cookie', name: 'a' }] }),
    ['20909 /action_parameters/arguments'],
  ],
  [
    'custom',
    skips({ ruleset: 'current', arguments: [{ kind: 'cookie', name: 'a' }] }),
    ['20907 /action_parameters/arguments'],
  ],
  ['managed', skips({ rules: {} }), ['20903 /action_parameters/rules']],
  ['managed', skips({ rules: { nope: ['m1'] } }), ['20910 /action_parameters/rules/nope']],
  ['managed', skips({ rules: { [managedId]: ['x1'] } }), [`20910 /action_parameters/rules/${managedId}/0`]],
  ['managed', skips({ rules: { [managedId]: [] } }), [`20903 /action_parameters/rules/${managedId}`]],
  [
    'root',
    {
      ...skips({ phases: ['http_ratelimit'], rulesets: [customId] }),
      expression: enterpriseOnly,
    },
    ['20909 /action_parameters/rulesets'],
  ],
  // execute
  ['managed', block, ['20907 /action']],
  ['managed', execute, ['20903 /action_parameters']],
  ['managed', executes({}), ['20903 /action_parameters/id']],
  ['managed', executes({ id: 'nope' }), ['20910 /action_parameters/id']],
  ['managed', executes({ id: responseId }), ['20907 /action_parameters/id']],
  ['managed', executes({ id: managedId }), ['20908 /action_parameters/id'], 'free'],
  ['managed', executes({ id: managedId, version: '3' }), ['20905 /action_parameters/version']],
  [
    'managed',
    executes({ id: managedId, matched_data: { public_key: 'x' } }),
    ['20904 /action_parameters/matched_data/public_key'],
  ],
  ['managed', overrides({}), ['20903 /action_parameters/overrides']],
  ['managed', overrides({ action: 'skip' }), ['20905 /action_parameters/overrides/action']],
  [
    'managed',
    overrides({ sensitivity_level: 'low' }),
    ['20907 /action_parameters/overrides/sensitivity_level'],
  ],
  [
    'managed',
    overrides({ categories: [{ category: 'sqli' }] }),
    ['20903 /action_parameters/overrides/categories/0'],
  ],
  [
    'managed',
    overrides({ categories: [{ enabled: true }] }),
    ['20903 /action_parameters/overrides/categories/0/category'],
  ],
  [
    'managed',
    overrides({ categories: [{ category: 'nope', enabled: true }] }),
    ['20910 /action_parameters/overrides/categories/0/category'],
  ],
  [
    'managed',
    overrides({
      categories: [
        { category: 'sqli', enabled: true },
        { category: 'sqli', action: 'log' },
      ],
    }),
    ['20911 /action_parameters/overrides/categories/1/category'],
  ],
  ['managed', overrides({ rules: [{ id: 'x1' }] }), ['20910 /action_parameters/overrides/rules/0/id']],
  [
    'managed',
    overrides({ rules: [{ id: 'm1' }, { id: 'm1' }] }),
    ['20911 /action_parameters/overrides/rules/1/id'],
  ],
  [
    'managed',
    overrides({ rules: [{ id: 'm1', score_threshold: 25 }] }),
    ['20907 /action_parameters/overrides/rules/0/score_threshold'],
  ],
  [
    'managed',
    overrides({ rules: [{ id: thresholdRuleId, score_threshold: 0 }] }, owaspId),
    ['20904 /action_parameters/overrides/rules/0/score_threshold'],
  ],
  [
    'managed',
    overrides({ rules: Array.from({ length: 1001 }, () => ({ id: 'm1' })) }),
    ['20904 /action_parameters/overrides/rules'],
  ],
];

for (const [home, body, problems, plan] of refused) {
  test(`checkRule refuses parameters in ${home} ${plan ?? ''} ${JSON.stringify(body).slice(0, 120)}`, () => {
    assert.deepEqual(briefly(check(home, body, plan)), problems);
  });
}

const taken = [
  skips({ categories: { [managedId]: ['sqli'] } }),
  skips({ rules: { [managedId]: ['m1'] }, arguments: [{ kind: 'cookie', name: 'a' }] }),
  skips({ rulesets: [managedId], arguments: [{ kind: 'JSON value', name: 'a[*].b' }] }),
];

for (const body of taken) {
  test(`checkRule takes exceptions for tags and arguments: ${JSON.stringify(body)}`, () => {
    const checked = check('managed', body);
    assert.ok(checked.ok);
    assert.deepEqual(
      checked.value.action_parameters,
      (body as { action_parameters?: object }).action_parameters,
    );
  });
}

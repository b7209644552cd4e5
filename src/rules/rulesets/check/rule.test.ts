import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../plans/plans.ts';
import { briefly, customId, managedId, owaspId, problemsOf, thresholdRuleId, valueOf } from '../testing.ts';
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

test('checkRule fills in defaults and drops what is empty or read only', () => {
  const body = {
    id: '',
    version: '',
    ref: '',
    description: '',
    ...block,
    last_updated: 'x',
    categories: ['a'],
    score_threshold: 1,
  };
  assert.deepEqual(valueOf(check('custom', body)), { ...block, enabled: true });
  assert.deepEqual(valueOf(check('custom', skips({ ruleset: 'current' }))), {
    ...skip,
    action_parameters: { ruleset: 'current' },
    enabled: true,
    logging: { enabled: true },
  });
  assert.deepEqual(valueOf(check('managed', executes({ id: managedId, version: '' }))), {
    ...execute,
    action_parameters: { id: managedId, version: 'latest' },
    enabled: true,
  });
});

const accepted: readonly [HomeName, unknown, Plan?][] = [
  ['custom', { ...block, action_parameters: { response } }],
  ['custom', { ...block, action_parameters: {} }],
  ['custom', { ...block, action: 'log' }],
  ['custom', { ...block, action: 'managed_challenge', action_parameters: {} }, 'free'],
  ['custom', { ...skip, logging: { enabled: false }, action_parameters: { products: ['waf', 'bic'] } }],
  ['custom', skips({ phase: 'current', products: ['waf'] })],
  ['custom', skips({ ruleset: 'current', phases: ['http_ratelimit'], products: ['waf'] })],
  ['managed', skips({ rulesets: [managedId, owaspId] }), 'pro'],
  ['managed', skips({ rules: { [managedId]: ['m1', 'm2'], [owaspId]: [thresholdRuleId] } })],
  ['managed', overrides({ enabled: false }), 'pro'],
  ['managed', overrides({ action: 'log', categories: [{ category: 'sqli', enabled: true }] }), 'pro'],
  ['managed', overrides({ rules: [{ id: thresholdRuleId, action: 'log', score_threshold: 25 }] }, owaspId)],
  ['managed', overrides({ rules: [{ id: 'm1' }] })],
  [
    'managed',
    executes({ id: managedId, version: 'latest', matched_data: { public_key: `${'A'.repeat(43)}=` } }),
  ],
  ['root', { ...executes({ id: customId }), expression: enterpriseOnly }],
  ['root', { ...executes({ id: customId }), expression: 'cf.zone.plan eq "ENT"' }],
  ['root', { ...skips({ rulesets: [customId] }), expression: enterpriseOnly }],
  ['root', { ...skips({ rules: { [customId]: ['r1'] } }), expression: enterpriseOnly }],
  ['rootManaged', { ...executes({ id: managedId }), expression: enterpriseOnly }],
  ['set', { ...block, expression: 'cf.zone.name eq "a"' }],
  [
    'set',
    {
      ...block,
      action: 'rewrite',
      action_parameters: { headers: { 'Exposed-Credential-Check': { operation: 'set', value: '1' } } },
      exposed_credential_check: {
        username_expression: 'url_decode(http.request.body.form["user"][0])',
        password_expression: 'http.request.body.form["password"][0]',
      },
    },
  ],
  ['stored', { ...block, action: 'rewrite', action_parameters: { uri: { path: { value: '/x' } } } }],
  ['packets', { ...block, expression: 'ip.proto eq "tcp"' }],
];

for (const [home, body, plan] of accepted) {
  test(`checkRule accepts in ${home} ${JSON.stringify(body)}`, () => {
    valueOf(check(home, body, plan));
  });
}

const refused: readonly [HomeName, unknown, readonly string[], Plan?][] = [
  ['custom', null, ['20901 ']],
  ['custom', [], ['20901 ']],
  ['custom', {}, ['20903 /action', '20125 /expression']],
  ['custom', { ...block, expression: undefined }, ['20125 /expression']],
  ['custom', { ...block, expression: 1 }, ['20901 /expression']],
  ['custom', { ...block, expression: 'nope' }, ['20127 /expression']],
  ['custom', { ...block, expression: 'http.host ~ "a"' }, ['20908 /expression'], 'pro'],
  ['custom', { ...block, acton: 1 }, ['20902 /acton']],
  ['custom', { ...block, position: { index: 1 } }, ['20902 /position']],
  ['custom', { ...block, 'a/~b': 1 }, ['20902 /a~1~0b']],
  ['custom', JSON.parse('{"action":"block","expression":"ssl","__proto__":{"x":1}}'), ['20902 /__proto__']],
  ['custom', { ...block, id: 7 }, ['20901 /id']],
  ['custom', { ...block, ref: 'x'.repeat(129) }, ['20904 /ref']],
  ['custom', { ...block, enabled: 'yes' }, ['20901 /enabled']],
  ['custom', { ...block, description: 'x'.repeat(1025) }, ['20904 /description']],
  ['custom', { ...block, action: 'blok' }, ['20905 /action']],
  ['custom', { ...block, action: 'log' }, ['20908 /action'], 'business'],
  ['custom', { ...block, action: 'rewrite' }, ['20907 /action']],
  ['custom', executes({ id: customId }), ['20907 /action']],
  ['custom', { expression: 'ssl', action_parameters: {} }, ['20903 /action']],
  ['custom', { ...block, logging: { enabled: true } }, ['20018 /logging']],
  ['custom', { ...skips({ ruleset: 'current' }), logging: { on: true } }, ['20902 /logging/on']],
  [
    'custom',
    { ...block, action: 'challenge', action_parameters: { response } },
    ['20907 /action_parameters'],
  ],
  ['custom', { ...block, action: 'challenge', action_parameters: [] }, ['20901 /action_parameters']],
  ['custom', { ...block, ratelimit: {} }, ['20907 /ratelimit']],
  ['custom', { ...block, exposed_credential_check: {} }, ['20907 /exposed_credential_check']],
  // accounts
  ['root', block, ['20907 /action']],
  ['root', executes({ id: customId }), ['20913 /expression']],
  [
    'root',
    { ...executes({ id: customId }), expression: 'ssl or ssl and cf.zone.plan eq "ENT"' },
    ['20913 /expression'],
  ],
  [
    'root',
    { ...executes({ id: customId }), expression: 'ssl and cf.zone.plan eq "PRO"' },
    ['20913 /expression'],
  ],
  [
    'root',
    { ...executes({ id: customId }), expression: 'cf.zone.plan eq "ENT" and ssl' },
    ['20913 /expression'],
  ],
  [
    'root',
    { ...executes({ id: customId, overrides: { enabled: true } }), expression: enterpriseOnly },
    ['20907 /action_parameters/overrides'],
  ],
  ['set', executes({ id: customId }), ['20907 /action']],
  ['set', { ...block, action: 'rewrite' }, ['20903 /exposed_credential_check']],
  [
    'set',
    { ...block, exposed_credential_check: { username_expression: 'http.host' } },
    ['20903 /exposed_credential_check/password_expression'],
  ],
  [
    'set',
    { ...block, exposed_credential_check: { username_expression: 'nope', password_expression: 'http.host' } },
    ['20127 /exposed_credential_check/username_expression'],
  ],
  // phases that are not evaluated
  ['stored', { ...block, action_parameters: 'x' }, ['20901 /action_parameters']],
  ['stored', { ...block, action_parameters: { x: 'y'.repeat(40_000) } }, ['20904 /action_parameters']],
  [
    'stored',
    { ...block, action_parameters: JSON.parse(`{"a":${'['.repeat(20)}${']'.repeat(20)}}`) },
    ['20904 /action_parameters'],
  ],
  ['stored', { ...block, logging: { enabled: true } }, ['20018 /logging']],
  ['stored', { ...block, expression: 'http.request.body.raw eq "a"' }, ['20127 /expression']],
  ['packets', { ...block, expression: ' ' }, ['20125 /expression']],
  ['packets', { ...block, expression: 'x'.repeat(4097) }, ['20904 /expression']],
];

for (const [home, body, problems, plan] of refused) {
  test(`checkRule refuses in ${home} ${plan ?? ''} ${JSON.stringify(body).slice(0, 120)}`, () => {
    assert.deepEqual(briefly(check(home, body, plan)), problems);
  });
}

const messages: readonly [HomeName, unknown, string, Plan?][] = [
  [
    'custom',
    { ...block, expression: '' },
    "'' is not a valid value for expression because the expression cannot be blank",
  ],
  [
    'custom',
    { ...block, expression: 'nope' },
    "'nope' is not a valid value for expression because could not parse filter expression: Filter parsing error (1:1):\nnope\n^^^^ unknown identifier",
  ],
  ['custom', { expression: 'ssl', action_parameters: {} }, 'action is required for action parameters'],
  ['custom', { ...block, acton: 1 }, "unknown field 'acton': did you mean action?"],
  [
    'custom',
    { ...block, enabled: { a: 1 } },
    "'object' is not a valid value for enabled because it must be true or false",
  ],
  [
    'custom',
    { ...block, action: 'log' },
    "'log' is not a valid value for action because the Pro plan is not entitled to the action log: it needs the Enterprise plan",
    'pro',
  ],
];

for (const [home, body, message, plan] of messages) {
  test(`checkRule says ${JSON.stringify(message.slice(0, 70))}`, () => {
    assert.equal(problemsOf(check(home, body, plan))[0]!.message, message);
  });
}

test('checkRule tells several problems at once, but not more than 20', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x${index}`, 1]));
  assert.equal(problemsOf(check('custom', { ...block, ...many })).length, 20);
  assert.deepEqual(
    briefly(check('custom', { action: 'no', expression: '', enabled: 1, ref: 2, logging: 3 })),
    ['20901 /ref', '20905 /action', '20125 /expression', '20901 /enabled'],
  );
});

test('checkRule repeats of a long value only the beginning', () => {
  const [problem] = problemsOf(check('custom', { ...block, action: 'x'.repeat(1_000_000) }));
  assert.ok(problem!.message.length < 5000);
  const [expression] = problemsOf(check('custom', { ...block, expression: 'x'.repeat(1_000_000) }));
  assert.ok(expression!.message.length < 5000);
});

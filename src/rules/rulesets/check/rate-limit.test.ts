import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../plans/plans.ts';
import { briefly, problemsOf, valueOf } from '../testing.ts';
import { block, check } from './testing.ts';

const limit = {
  characteristics: ['cf.colo.id', 'ip.src'],
  period: 10,
  requests_per_period: 100,
  mitigation_timeout: 10,
};

function limits(more: object = {}, rule: object = {}): object {
  return { ...block, ratelimit: { ...limit, ...more }, ...rule };
}

test('checkRateLimit takes what each plan includes, and gives it back as it was sent', () => {
  const accepted: readonly [Plan, object][] = [
    ['free', limits()],
    ['free', limits({ mitigation_timeout: 0 }, { action: 'managed_challenge' })],
    ['pro', limits({ period: 60, mitigation_timeout: 3_600 })],
    [
      'business',
      limits({ period: 600, mitigation_timeout: 86_400, counting_expression: 'http.host eq "a"' }),
    ],
    ['enterprise', limits({ mitigation_timeout: 0, requests_to_origin: false }, { action: 'log' })],
    ['enterprise', limits({ characteristics: ['cf.colo.id', 'http.request.headers["x-key"]', 'http.host'] })],
    ['business', limits({ characteristics: ['cf.colo.id', 'cf.unique_visitor_id'] })],
    ['enterprise', limits({ characteristics: ['cf.colo.id', 'lower(http.request.uri.args["user"][0])'] })],
    ['enterprise', limits({ characteristics: ['cf.colo.id', 'http.request.body.form["name"]'] })],
  ];
  for (const [plan, rule] of accepted) {
    deepEqual(valueOf(check('ratelimit', rule, plan)), { ...rule, enabled: true });
  }
});

const refused: readonly [Plan, object, string, RegExp][] = [
  ['enterprise', block, '20903 /ratelimit', /./],
  ['enterprise', limits({ characteristics: [] }), '20903 /ratelimit/characteristics', /./],
  [
    'enterprise',
    limits({ characteristics: ['cf.colo.id', 'ip.srcs'] }),
    '20127 /ratelimit/characteristics/1',
    /unknown/,
  ],
  [
    'enterprise',
    limits({ characteristics: ['cf.colo.id', 'cf.bot_management.ja3_hash'] }),
    '20127 /ratelimit/characteristics/1',
    /is the same for every request here/,
  ],
  [
    'enterprise',
    limits({ characteristics: ['cf.colo.id', 'ip.src', 'ip.src'] }),
    '20911 /ratelimit/characteristics/2',
    /twice/,
  ],
  [
    'business',
    limits({ characteristics: ['cf.colo.id', 'http.host'] }),
    '20908 /ratelimit/characteristics/1',
    /Enterprise/,
  ],
  [
    'pro',
    limits({ characteristics: ['cf.colo.id', 'cf.unique_visitor_id'] }),
    '20908 /ratelimit/characteristics/1',
    /Business/,
  ],
  [
    'business',
    limits({ characteristics: ['cf.colo.id', 'cf.unique_visitor_id', 'ip.src'] }),
    '20907 /ratelimit/characteristics/1',
    /cannot stand together with ip\.src/,
  ],
  ['enterprise', limits({ period: 11 }), '20908 /ratelimit/period', /a period among \[10, 15, .* 65535\]/],
  [
    'pro',
    limits({ period: 90 }),
    '20908 /ratelimit/period',
    /the period 90, .* \[10, 15, 20, 30, 40, 45, 60\]/,
  ],
  ['free', limits({ mitigation_timeout: 60 }), '20908 /ratelimit/mitigation_timeout', /different from 10/],
  [
    'business',
    limits({ mitigation_timeout: 0 }),
    '20908 /ratelimit/mitigation_timeout',
    /throttle behaviour/,
  ],
  ['pro', limits({ mitigation_timeout: 7_200 }), '20908 /ratelimit/mitigation_timeout', /over 3600/],
  [
    'pro',
    limits({}, { action: 'js_challenge' }),
    '20908 /ratelimit/mitigation_timeout',
    /with the action js_challenge/,
  ],
  ['pro', limits({ counting_expression: 'ssl' }), '20908 /ratelimit/counting_expression', /Business/],
  [
    'enterprise',
    limits({ counting_expression: 'cf.response.error_type eq "waf"' }),
    '20127 /ratelimit/counting_expression',
    /cf\.response\.error_type is the same for every answer/,
  ],
  [
    'enterprise',
    limits({ requests_per_period: undefined }),
    '20903 /ratelimit/requests_per_period',
    /or score_per_period/,
  ],
  ['enterprise', limits({ score_per_period: 5 }), '20907 /ratelimit/score_per_period', /one of the two/],
  ['enterprise', limits({}, { action: 'skip' }), '20907 /action', /only the actions block, challenge/],
  [
    'enterprise',
    limits({}, { expression: 'http.response.code eq 404' }),
    '20127 /expression',
    /not available/,
  ],
];

test('checkRateLimit says what is wrong and where', () => {
  for (const [plan, rule, brief, text] of refused) {
    const checked = check('ratelimit', rule, plan);
    const [problem] = problemsOf(checked);
    deepEqual(briefly(checked)[0], brief, JSON.stringify(rule));
    match(problem!.message, text);
  }
  const elsewhere = check('custom', limits());
  deepEqual(briefly(elsewhere), ['20907 /ratelimit']);
});

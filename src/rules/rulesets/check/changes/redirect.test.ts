import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../../plans/plans.ts';
import { briefly, problemsOf, valueOf } from '../../testing.ts';
import { check } from '../testing.ts';
import { findRedirectCircle } from './redirect-loop.ts';

function redirect(
  target_url: unknown,
  more: object = {},
  expression = 'http.request.uri.path eq "/a"',
): object {
  return { action: 'redirect', expression, action_parameters: { from_value: { target_url, ...more } } };
}

test('checkRedirect takes texts and expressions, and gives them back as they were sent', () => {
  for (const rule of [
    redirect({ value: 'https://a.example/b?c#d' }),
    redirect({ value: '/b' }, { status_code: 308, preserve_query_string: true }),
    redirect({ value: 'https://a.example/', expression: '' }),
    redirect({ expression: 'concat("https://a.example", http.request.uri.path)' }, { status_code: 301 }),
    redirect({ expression: 'regex_replace(http.request.full_uri, "^http:", "https:")' }),
  ])
    deepEqual(valueOf(check('redirect', rule)), { ...rule, enabled: true });
});

const place = '/action_parameters/from_value';
const refused: readonly [object, string, RegExp, Plan?][] = [
  [{ action: 'block', expression: 'ssl' }, '20907 /action', /only the actions redirect/],
  [{ action: 'redirect', expression: 'ssl' }, '20903 /action_parameters', /needs it/],
  [
    { action: 'redirect', expression: 'ssl', action_parameters: { from_list: {} } },
    '20907 /action_parameters/from_list',
    /./,
  ],
  [redirect({}), `20909 ${place}/target_url`, /value or expression/],
  [redirect({ value: '' }), `20909 ${place}/target_url`, /value or expression/],
  [redirect({ value: '/a', expression: 'http.host' }), `20909 ${place}/target_url`, /both/],
  [redirect({ value: 'javascript:alert(1)' }), `20915 ${place}/target_url/value`, /http:\/\/ or https:/],
  [redirect({ value: '//b.example/' }), `20915 ${place}/target_url/value`, /one slash/],
  [redirect({ value: 'a.example/b' }), `20915 ${place}/target_url/value`, /one slash/],
  [
    redirect({ value: 'https://a.example/\r\nset-cookie: a=b' }),
    `20915 ${place}/target_url/value`,
    /line ends/,
  ],
  [redirect({ value: '/b' }, { status_code: 304 }), `20905 ${place}/status_code`, /301, 302, 303, 307, 308/],
  [redirect({ value: '/b' }, { status_code: 200 }), `20904 ${place}/status_code`, /./],
  [redirect({ expression: 'http.hots' }), `20127 ${place}/target_url/expression`, /unknown identifier/],
  [redirect({ expression: 'ip.src' }), `20127 ${place}/target_url/expression`, /must give a text.*Ip/],
  [
    redirect({ expression: 'http.request.body.raw' }),
    `20127 ${place}/target_url/expression`,
    /not available/,
  ],
  [
    redirect({ expression: 'http.response.headers["a"][0]' }),
    `20127 ${place}/target_url/expression`,
    /not available/,
  ],
  [
    redirect({ expression: 'regex_replace(http.host, "a", "b")' }),
    `20908 ${place}/target_url/expression`,
    /regex/,
    'pro',
  ],
];

for (const [rule, problem, reason, plan] of refused) {
  test(`checkRedirect refuses ${JSON.stringify(rule)}`, () => {
    const checked = check('redirect', rule, plan);
    deepEqual(briefly(checked), [problem]);
    match(problemsOf(checked)[0]!.message, reason);
  });
}

/** Whether a rule of zone.example with this target is refused as a loop. */
function isLoop(expression: string, value: string, status_code = 302): boolean {
  const checked = check('redirect', redirect({ value }, { status_code }, expression));
  if (checked.ok) return false;
  deepEqual(briefly(checked), [`20914 ${place}/target_url/value`]);
  return true;
}

test('redirectsItself finds rules that match their own target for some visitor', () => {
  const loops: readonly (readonly [string, string])[] = [
    ['true', '/maintenance'],
    ['http.host eq "zone.example"', 'https://zone.example/new'],
    ['http.host contains "zone.example"', 'https://www.zone.example/'],
    ['ip.src.country eq "DE"', 'https://zone.example/de/'],
    ['not ip.src in $office', '/closed'],
    ['starts_with(http.request.uri.path, "/a")', '/a/b'],
    ['http.request.uri.path eq "/a" or http.cookie contains "b"', '/c'],
    ['http.host eq "zone.example" and not http.request.uri.path eq "/b"', 'https://zone.example/c'],
    ['any(http.request.uri.args["x"][*] eq "1")', '/b?x=1'],
    ['not ssl', 'http://zone.example/'],
  ];
  for (const [expression, target] of loops) deepEqual([target, isLoop(expression, target)], [target, true]);
});

test('redirectsItself lets rules pass that lead elsewhere', () => {
  const passing: readonly (readonly [string, string, number?])[] = [
    ['true', 'https://other.example/'],
    ['true', 'https://notzone.example/'],
    ['http.host eq "zone.example"', 'https://www.zone.example/'],
    ['ip.src.country eq "DE" and not starts_with(http.request.uri.path, "/de/")', '/de/'],
    ['not ssl', 'https://zone.example/'],
    ['http.request.uri.path eq "/a"', '/b'],
    ['http.request.uri.query eq ""', '/b?c'],
    ['http.request.method eq "POST"', '/thanks', 303],
  ];
  for (const [expression, target, status] of passing)
    deepEqual([target, isLoop(expression, target, status)], [target, false]);
  deepEqual(isLoop('http.request.method eq "POST"', '/thanks', 307), true);
});

test('findRedirectCircle finds rules that lead to each other for every visitor, and none that some leave', () => {
  const rule = (expression: string, target_url: object, enabled = true) => ({
    expression,
    enabled,
    action_parameters: { from_value: { target_url } },
  });
  const on = (path: string): string => `http.request.uri.path eq "${path}"`;
  const find = (...rules: ReturnType<typeof rule>[]): readonly number[] =>
    findRedirectCircle(rules, 'zone.example');
  const [a, b] = [rule(on('/a'), { value: '/b' }), rule(on('/b'), { value: 'https://zone.example/c' })];
  const back = rule(on('/c'), { value: 'https://zone.example/a' });
  deepEqual(find(a, b), []);
  deepEqual(find(a, b, back), [0, 1, 2]);
  deepEqual(find(rule(on('/x'), { value: '/a' }), a, b, back), [1, 2, 3]);
  deepEqual(find(a, b, { ...back, enabled: false }), []);
  deepEqual(find(a, b, rule(on('/c'), { value: 'https://elsewhere.example/a' })), []);
  // Some visitors leave the cycle, or the target is unknown.
  deepEqual(find(a, b, rule(`${on('/c')} and ip.src.country eq "DE"`, { value: '/a' })), []);
  deepEqual(find(a, b, rule(on('/c'), { expression: 'concat("/", http.user_agent)' })), []);
  deepEqual(find(rule(`${on('/b')} and ssl`, { value: '/out' }), a, b, back), []);
});

test('findRedirectCircle does not look for ever', () => {
  const rules = Array.from({ length: 300 }, (_, index) => ({
    expression: `http.request.uri.path eq "/${index}"`,
    enabled: true,
    action_parameters: { from_value: { target_url: { value: `/${(index + 1) % 300}` } } },
  }));
  deepEqual(findRedirectCircle(rules, 'zone.example'), []);
});

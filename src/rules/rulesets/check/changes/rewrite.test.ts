import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import { briefly, problemsOf, valueOf } from '../../testing.ts';
import { check, type HomeName } from '../testing.ts';

function rewrite(action_parameters: unknown): object {
  return { action: 'rewrite', expression: 'true', action_parameters };
}

const uri = (parts: unknown): object => rewrite({ uri: parts });
const headers = (map: unknown): object => rewrite({ headers: map });
const header = (name: string, operation: string, more: object = {}): object =>
  headers({ [name]: { operation, ...more } });

test('checkUriRewrite and checkHeaderRewrite give back what was sent', () => {
  const accepted: readonly [HomeName, object][] = [
    ['transform', uri({ path: { value: '/a/b%20c' } })],
    ['transform', uri({ query: { value: '' } })],
    [
      'transform',
      uri({ path: { expression: 'lower(http.request.uri.path)' }, query: { value: 'a=1&b=%C3%BC' } }),
    ],
    ['late', header('X-A', 'set', { value: 'größe' })],
    ['late', header('x-forwarded-host', 'set', { expression: 'http.host' })],
    ['late', header('cookie', 'remove')],
    ['late', header('x_a', 'remove', { value: '', expression: '' })],
    ['answer', header('set-cookie', 'add', { expression: 'concat("code=", to_string(http.response.code))' })],
    ['answer', header('server', 'remove')],
  ];
  for (const [home, rule] of accepted) deepEqual(valueOf(check(home, rule)), { ...rule, enabled: true });
});

const place = '/action_parameters';
const refused: readonly [HomeName, object, string, RegExp][] = [
  ['transform', { action: 'rewrite', expression: 'true' }, `20903 ${place}`, /needs it/],
  ['transform', { action: 'block', expression: 'true' }, '20907 /action', /only the actions rewrite/],
  ['transform', uri({}), `20903 ${place}/uri`, /path, query or both/],
  ['transform', rewrite({}), `20903 ${place}/uri`, /required/],
  ['transform', headers({ a: { operation: 'remove' } }), `20907 ${place}/headers`, /only uri/],
  ['transform', uri({ path: { value: 'a' } }), `20915 ${place}/uri/path/value`, /slash/],
  ['transform', uri({ path: { value: '' } }), `20909 ${place}/uri/path`, /value or expression/],
  ['transform', uri({ path: { value: '/a?b' } }), `20915 ${place}/uri/path/value`, /without a query/],
  ['transform', uri({ path: { value: '/a b' } }), `20915 ${place}/uri/path/value`, /%XX/],
  ['transform', uri({ path: { value: '/ü' } }), `20915 ${place}/uri/path/value`, /%XX/],
  ['transform', uri({ path: { value: '/a\r\nx: y' } }), `20915 ${place}/uri/path/value`, /%XX/],
  ['transform', uri({ path: { value: '/a/%252e%252e/b' } }), `20915 ${place}/uri/path/value`, /ambiguous/],
  ['transform', uri({ query: { value: '?a' } }), `20915 ${place}/uri/query/value`, /question mark/],
  ['transform', uri({ query: { value: 'a#b' } }), `20915 ${place}/uri/query/value`, /%XX/],
  [
    'transform',
    uri({ query: { expression: 'http.response.code' } }),
    `20127 ${place}/uri/query/expression`,
    /Int/,
  ],
  ['late', uri({ path: { value: '/a' } }), `20907 ${place}/uri`, /only headers/],
  ['late', headers({}), `20903 ${place}/headers`, /at least one/],
  ['late', header('x', 'replace', { value: 'a' }), `20905 ${place}/headers/x/operation`, /./],
  ['late', header('x', 'set'), `20909 ${place}/headers/x`, /value or expression/],
  ['late', header('x', 'remove', { value: 'a' }), `20909 ${place}/headers/x`, /has no value/],
  ['late', header('x', 'set', { value: 'a\r\nb: c' }), `20915 ${place}/headers/x/value`, /line ends/],
  ['late', header('x', 'set', { value: 'a'.repeat(9_000) }), `20915 ${place}/headers/x/value`, /longer/],
  ['late', header('x y', 'set', { value: 'a' }), `20915 ${place}/headers/x y`, /letters, digits/],
  ['late', header('Host', 'set', { value: 'a' }), `20915 ${place}/headers/Host`, /http_request_origin/],
  ['late', header('cookie', 'set', { value: 'a' }), `20915 ${place}/headers/cookie`, /only be removed/],
  [
    'late',
    header('X-Forwarded_For', 'set', { value: 'a' }),
    `20915 ${place}/headers/X-Forwarded_For`,
    /the edge sets/,
  ],
  ['late', header('cf-ray', 'remove'), `20915 ${place}/headers/cf-ray`, /the edge sets/],
  [
    'late',
    header('Transfer-Encoding', 'remove'),
    `20915 ${place}/headers/Transfer-Encoding`,
    /each connection/,
  ],
  [
    'late',
    header('x', 'set', { expression: 'http.response.headers["a"][0]' }),
    `20127 ${place}/headers/x/expression`,
    /not available/,
  ],
  [
    'late',
    headers({ 'x-a': { operation: 'remove' }, 'X-A': { operation: 'remove' } }),
    `20911 ${place}/headers/X-A`,
    /twice/,
  ],
  ['answer', header('content-length', 'set', { value: '1' }), `20915 ${place}/headers/content-length`, /./],
  ['answer', header('content-encoding', 'remove'), `20915 ${place}/headers/content-encoding`, /encoded/],
  [
    'answer',
    header('x', 'set', { expression: 'http.request.body.raw' }),
    `20127 ${place}/headers/x/expression`,
    /not available/,
  ],
];

for (const [home, rule, problem, reason] of refused) {
  test(`checkRule refuses ${JSON.stringify(rule).slice(0, 200)}`, () => {
    const checked = check(home, rule);
    deepEqual(briefly(checked), [problem]);
    match(problemsOf(checked)[0]!.message, reason);
  });
}

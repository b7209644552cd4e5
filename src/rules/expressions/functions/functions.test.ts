/** The results of each function. The cases of test/rules/cases.json show functions inside expressions. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { scheme } from '../full-scheme.ts';
import { parseValue } from '../parse/parse.ts';
import { interpretValue } from '../run/interpret.ts';
import { createRequest } from '../run/request-view.ts';
import { parseIp } from '#addresses';
import { bytesOf } from '#text';
import type { Value } from '../values.ts';

/** The value of an expression; the argument `a` is the value of http.host. */
function evaluate(expression: string, facts: Readonly<Record<string, Value>> = {}): Value | undefined {
  const source = expression.replaceAll(/(?<=[(,] ?)a(?=[,)])/g, 'http.host');
  const parsed = parseValue(source);
  assert.ok(parsed.ok, parsed.ok ? '' : `${source}: ${parsed.error.message}`);
  const { a = '', ...rest } = facts;
  return interpretValue(parsed.tree)(createRequest(new Map(Object.entries({ 'http.host': a, ...rest }))));
}

function messageOf(source: string): string {
  const parsed = parseValue(source);
  return parsed.ok ? '' : parsed.error.message;
}

test('functions are one file each, named as they are typed', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => !name.endsWith('.test.ts'));
  assert.deepEqual(files.toSorted(), [...scheme.functions.keys()].map((name) => `${name}.ts`).toSorted());
});

const nilIn = 'http.request.headers["none"][0]';

test('functions return nil for nil', () => {
  const calls = [
    `decode_base64(${nilIn})`,
    `encode_base64(${nilIn}, "u")`,
    `ends_with(${nilIn}, "a")`,
    `has_key(http.request.headers, ${nilIn})`,
    `has_value(http.request.headers["none"], "a")`,
    `join(http.request.headers["none"], ",")`,
    `len(${nilIn})`,
    `lookup_json_integer(${nilIn}, "a")`,
    `lookup_json_string(http.host, ${nilIn})`,
    `lower(${nilIn})`,
    `upper(${nilIn})`,
    `regex_replace(${nilIn}, "a", "b")`,
    `remove_bytes(http.host, ${nilIn})`,
    `sha256(${nilIn})`,
    `split(${nilIn}, "a", 2)`,
    `starts_with(http.host, ${nilIn})`,
    `substring(${nilIn}, 1)`,
    `substring(http.host, 0, lookup_json_integer(http.host, "a"))`,
    `to_string(lookup_json_integer(http.host, "a"))`,
    `url_decode(${nilIn})`,
    `wildcard_replace(${nilIn}, "*", "b")`,
    `is_timed_hmac_valid_v0("k", ${nilIn}, 1, 1)`,
  ];
  for (const call of calls) assert.equal(evaluate(call), undefined, call);
});

test('lower and upper change ASCII letters only', () => {
  assert.equal(evaluate('lower(a)', { a: 'AZ[\xc9\xe9' }), 'az[\xc9\xe9');
  assert.equal(evaluate('upper(a)', { a: 'az{\xc9\xe9' }), 'AZ{\xc9\xe9');
});

test('substring counts from both ends and stays within the value', () => {
  const places: readonly (readonly [string, string])[] = [
    ['0', 'abcdef'],
    ['2, 4', 'cd'],
    ['-3, -1', 'de'],
    ['4, 2', ''],
    ['-99, 99', 'abcdef'],
    ['99', ''],
    ['-1', 'f'],
  ];
  for (const [place, expected] of places)
    assert.equal(evaluate(`substring(a, ${place})`, { a: 'abcdef' }), expected);
});

test('split returns at most as many parts as its limit', () => {
  assert.deepEqual(evaluate('split(a, ",", 128)', { a: '' }), ['']);
  assert.deepEqual(evaluate('split(a, ",", 1)', { a: 'x,y' }), ['x,y']);
  assert.deepEqual(evaluate('split(a, ",,", 3)', { a: 'x,,y,,z,,w' }), ['x', 'y', 'z,,w']);
  assert.match(messageOf('split(http.host, ",", 129)'), /expected a number from 1 to 128/);
});

test('url_decode with r gives the same result as repeated decoding', () => {
  const decodeOnce = (text: string): string => evaluate('url_decode(a, "u")', { a: text }) as string;
  const piece = fc.constantFrom('%', '2', '5', '4', '1', '+', '%25', '%2B', '%u0025', 'u', '0', 'x');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      let stable = pieces.join('');
      while (decodeOnce(stable) !== stable) stable = decodeOnce(stable);
      assert.equal(evaluate('url_decode(a, "ur")', { a: pieces.join('') }), stable);
    }),
    { numRuns: 500 },
  );
});

test('url_decode with r takes time proportional to the value, however often it is encoded', () => {
  assert.equal(evaluate('url_decode(a, "r")', { a: `%${'25'.repeat(50_000)}41` }), 'A');
  assert.equal(evaluate('url_decode(a, "r")', { a: `${'%3'.repeat(50_000)}5` }), '5');
});

test('url_decode keeps invalid escapes', () => {
  assert.equal(evaluate('url_decode(a)', { a: '%4%G1%u0041%' }), '%4%G1%u0041%');
  assert.equal(evaluate('url_decode(a, "u")', { a: '%u20AC%uD800' }), bytesOf('€\ufffd'));
  assert.equal(evaluate('url_decode(a, "u")', { a: '%U0041%u004G' }), 'A%u004G');
});

test('decode_base64 accepts the standard alphabet, with or without padding', () => {
  assert.equal(evaluate('decode_base64(a)', { a: '+/8=' }), '\xfb\xff');
  assert.equal(evaluate('decode_base64(a)', { a: '+/8' }), '\xfb\xff');
  for (const wrong of ['-_8', 'a', 'aa=', 'aaa==', 'a a=', 'aa==aa==']) {
    assert.equal(evaluate('decode_base64(a)', { a: wrong }), undefined, wrong);
  }
});

test('decode_base64 is the inverse of encode_base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.constantFrom('', 'p'), (bytes, flags) => {
      const value = Buffer.from(bytes).toString('latin1');
      const encoded = evaluate(`encode_base64(a, "${flags}")`, { a: value })!;
      assert.equal(evaluate('decode_base64(a)', { a: encoded }), value);
    }),
  );
});

test('regex_replace fills groups, dollars and nothing else', () => {
  const replace = (replacement: string): Value | undefined =>
    evaluate(`regex_replace(a, "(x)|(y)", "${replacement}")`, { a: '-y-x' });
  assert.equal(replace('<${0}|${1}|${2}|${9}>'), '-<y||y|>-x');
  assert.equal(replace('$$1 $1 ${x} $'), '-$1 $1 ${x} $-x');
  assert.match(messageOf(`regex_replace(http.host, "a", "${'${1}'.repeat(9)}")`), /at most 8 references/);
  assert.match(
    messageOf('regex_replace(http.host, "(", "")'),
    /^invalid value of argument #1: .*unclosed group/s,
  );
  assert.match(messageOf(String.raw`regex_replace(http.host, "\xff", "")`), /pattern in UTF-8/);
});

test('wildcard_replace replaces the whole value or nothing', () => {
  assert.equal(evaluate('wildcard_replace(a, "/a/*", "/b/${1}$$")', { a: '/A/x' }), '/b/x$');
  assert.equal(evaluate('wildcard_replace(a, "/a/*", "/b")', { a: 'x/a/x' }), 'x/a/x');
  assert.match(messageOf('wildcard_replace(http.host, "**", "")'), /double star/);
});

test('remove_query_args removes every occurrence of every name', () => {
  const query = 'http.request.uri.query';
  assert.equal(evaluate(`remove_query_args(${query}, "x", "y")`, { [query]: 'x=1&z&y&x&w=x' }), 'z&w=x');
  assert.equal(evaluate(`remove_query_args(${query}, "x")`, { [query]: 'x' }), '');
});

test('to_string writes Bools, numbers and addresses', () => {
  assert.equal(evaluate('to_string(ssl)', { ssl: true }), 'true');
  assert.equal(evaluate('to_string(12)'), '12');
  assert.equal(evaluate('to_string(ip.src)', { 'ip.src': parseIp('0:0::1')! }), '::1');
});

test('cidr clears the bits after the prefix of each family', () => {
  const network = (address: string): Value | undefined =>
    evaluate('to_string(cidr(ip.src, 20, 33))', { 'ip.src': parseIp(address)! });
  assert.equal(network('192.0.255.255'), '192.0.240.0');
  assert.equal(network('2001:db8:ffff:ffff::1'), '2001:db8:8000::');
});

test('has_value finds addresses by value', () => {
  assert.equal(
    evaluate('has_value(http.request.headers.names, "x")', { 'http.request.headers.names': ['x'] }),
    true,
  );
  assert.equal(evaluate('has_value(cf.llm.prompt.custom_topic_categories, 3)', { 'cf.llm.prompt.custom_topic_categories': new Map([['t', 3]]) }), true); // prettier-ignore
  assert.match(
    messageOf('has_value(http.request.headers.names, 3)'),
    /expected value of type Bytes, but got Int/,
  );
});

test('lookup_json_integer accepts 64-bit integers without a fraction or exponent', () => {
  const number = (text: string): Value | undefined =>
    evaluate('lookup_json_integer(a, "n")', { a: `{"n":${text}}` });
  assert.equal(number('0'), 0);
  assert.equal(number('-9223372036854775808'), -(2 ** 63));
  for (const wrong of ['1.0', '1e2', '"1"', 'null', '9223372036854775808', '1'.repeat(40)]) {
    assert.equal(number(wrong), undefined, wrong);
  }
});

test('lookup_json_string returns the bytes of the text', () => {
  assert.equal(evaluate('lookup_json_string(a, "é")', { a: bytesOf('{"é":"\\u20ac"}') }), bytesOf('€'));
  assert.equal(evaluate('lookup_json_string(a, 0)', { a: '["\\ud800"]' }), undefined);
});

test('sha256 returns bytes, uuidv4 a UUID that depends on the seed alone', () => {
  assert.equal((evaluate('sha256("")') as string).length, 32);
  const uuid = (seed: string): Value | undefined =>
    evaluate('uuidv4(cf.random_seed)', { 'cf.random_seed': seed });
  assert.match(uuid('x') as string, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(uuid('x'), uuid('x'));
  assert.notEqual(uuid('x'), uuid('y'));
});

function signed(
  message: string,
  { time, encoding }: { time: number; encoding: 'base64' | 'base64url' },
): string {
  const code = createHmac('sha256', 'secret').update(`${message}${time}`).digest(encoding);
  return `${message}?verify=${time}-${encoding === 'base64' ? encodeURIComponent(code) : code}`;
}

test('is_timed_hmac_valid_v0 accepts the right code, until it expires', () => {
  const time = 1_700_000_000;
  const check = (text: string, now: number, options = ''): Value | undefined =>
    evaluate(`is_timed_hmac_valid_v0("secret", a, 100, ${now}, 8${options})`, { a: text });
  const text = signed('/file', { time, encoding: 'base64' });
  assert.equal(check(text, time + 99), true);
  assert.equal(check(text, time + 100), false);
  assert.equal(check(text.replace('/file', '/fyle'), time), false);
  assert.equal(check(text.replace('1700000000', '1700000001'), time), false);
  assert.equal(check(text.slice(0, -1), time), false);
  assert.equal(check('', time), false);
  assert.equal(check('no code at all', time), false);
  assert.equal(check(signed('/a-b', { time, encoding: 'base64url' }), time, ', "s"'), true);
});

test('is_jwt_present and is_jwt_valid read the result of token validation', () => {
  const facts = {
    'gatehouse.jwt.present': new Map([['id', true]]),
    'gatehouse.jwt.valid': new Map([['id', false]]),
  };
  assert.equal(evaluate('is_jwt_present("id")', facts), true);
  assert.equal(evaluate('is_jwt_valid("id")', facts), false);
  assert.equal(evaluate('is_jwt_present("other")', facts), false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from '../ast.ts';
import { parse, parseValue } from '../parse/parse.ts';
import { testScheme } from '../testing.ts';
import { complete } from './complete.ts';
import { hover } from './hover.ts';
import { checkPhase, phases } from './phases.ts';
import { usesOf } from './uses.ts';

function labels(text: string): readonly string[] {
  return complete(text, text.length, { lists: ['office', 'others'] }).items.map(({ label }) => label);
}

function filter(source: string): Filter {
  const parsed = parse(source, { scheme: testScheme });
  assert.ok(parsed.ok);
  return parsed.tree;
}

test('complete offers names where an operand may stand', () => {
  for (const text of ['', 'ssl and ', 'not ', '(', 'lower(', 'concat("a", ', 'any(']) {
    assert.ok(labels(text).includes('http.host'), text);
    assert.ok(labels(text).includes('lower'), text);
  }
  assert.deepEqual(labels('ssl or http.hos'), ['http.host']);
  assert.deepEqual(labels('ip.geo'), []);
  assert.deepEqual(labels('gatehouse.r'), ['gatehouse.request.body.text']);
  assert.deepEqual(labels('gatehouse.jwt'), []);
});

test('complete offers the operators of the type', () => {
  assert.ok(labels('http.host ').includes('strict wildcard'));
  assert.deepEqual(labels('ip.src i'), ['in']);
  assert.ok(!labels('ip.src ').includes('contains'));
  assert.ok(labels('any(http.request.headers.names[*] ').includes('contains'));
  assert.deepEqual(labels('ssl '), ['and', 'or', 'xor']);
});

test('complete offers lists behind in, and nothing inside of literals', () => {
  assert.deepEqual(labels('ip.src in '), ['$office', '$others']);
  assert.deepEqual(labels('ip.src in $ot'), ['$others']);
  assert.deepEqual(labels('http.host eq "htt'), []);
  assert.deepEqual(labels('http.host eq '), []);
});

test('complete returns the span that an accepted item replaces', () => {
  const text = 'ssl and http.ho and ssl';
  const { span, items } = complete(text, 'ssl and http.ho'.length);
  assert.deepEqual(
    { text: text.slice(span.start, span.end), detail: items[0]?.detail },
    { text: 'http.ho', detail: 'Bytes' },
  );
});

test('hover describes a name, even in an invalid expression', () => {
  const text = 'ssl and )) substring(ip.geoip.country';
  assert.deepEqual(hover(text, text.indexOf('string')), {
    span: { start: 11, end: 20 },
    title: 'substring(value: Bytes, start: Int, [end: Int])',
    summary:
      'The bytes from a start up to, but not including, an end; to the end of the value if it is left out.',
  });
  assert.match(hover(text, text.length)!.summary, /Deprecated: write ip\.src\.country/);
  assert.match(hover('any(', 1)!.title, /^any/);
});

test('hover returns nothing inside a string or beside a name', () => {
  assert.equal(hover('http.host eq "ssl"', 15), undefined);
  assert.equal(hover('ssl  or', 4), undefined);
  assert.equal(hover('nope', 1), undefined);
});

test('usesOf finds fields, functions, lists and patterns anywhere in the tree', () => {
  const uses = usesOf(
    filter(
      'any(lower(http.request.headers.names[*])[*] matches "a") and (ip.src in $office or is_jwt_valid("x"))',
    ),
  );
  assert.deepEqual(Array.from(uses.fields, ({ name }) => name), ['http.request.headers.names', 'ip.src', 'gatehouse.jwt.valid']); // prettier-ignore
  assert.deepEqual(
    Array.from(uses.functions, ({ name }) => name),
    ['lower', 'is_jwt_valid'],
  );
  assert.deepEqual([...uses.lists], ['office']);
  assert.equal(uses.regexCount, 1);
});

test('checkPhase refuses fields that come later and functions for the other kind of expression', () => {
  const messages = (source: string, phase: string): readonly string[] =>
    checkPhase(filter(source), phase).map(({ message }) => message);
  assert.deepEqual(messages('http.request.body.size gt 1', 'http_request_firewall_custom'), []);
  assert.deepEqual(messages('http.request.body.size gt 1', 'http_request_transform'), [
    'http.request.body.size is not available in http_request_transform',
  ]);
  assert.deepEqual(
    messages('len(sha256(http.host)) eq 1 or http.response.code eq 1', 'http_request_origin'),
    [
      'sha256 is not available in a match expression',
      'http.response.code is not available in http_request_origin',
    ],
  );
  const value = parseValue('sha256(http.host)');
  assert.ok(value.ok);
  assert.deepEqual(checkPhase(value.tree, 'http_request_transform'), []);
  assert.throws(() => checkPhase(filter('ssl'), 'nope'), RangeError);
  assert.ok(Object.keys(phases).every((name) => /^(?:http|gatehouse)_/.test(name)));
});

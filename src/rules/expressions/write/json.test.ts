import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../parse/parse.ts';
import { testScheme } from '../testing.ts';
import { type Json, toJson } from './json.ts';

function jsonOf(source: string): Json {
  const result = parse(source, { scheme: testScheme });
  assert.ok(result.ok);
  return toJson(result.tree);
}

test('toJson writes combinations, negations and truths', () => {
  assert.deepEqual(jsonOf('not ssl and (ssl xor ssl)'), {
    op: 'And',
    items: [
      { op: 'Not', arg: { lhs: 'ssl', op: 'IsTrue' } },
      {
        op: 'Xor',
        items: [
          { lhs: 'ssl', op: 'IsTrue' },
          { lhs: 'ssl', op: 'IsTrue' },
        ],
      },
    ],
  });
});

test('toJson writes comparisons with their path and literal', () => {
  assert.deepEqual(jsonOf('http.request.headers["a"][0] ge "x"'), {
    lhs: ['http.request.headers', { kind: 'MapKey', value: 'a' }, { kind: 'ArrayIndex', value: 0 }],
    op: 'GreaterThanEqual',
    rhs: 'x',
  });
  assert.deepEqual(jsonOf('ip.src.asnum eq 9223372036854775807'), {
    lhs: 'ip.src.asnum',
    op: 'Equal',
    rhs: '9223372036854775807',
  });
});

test('toJson writes sets, lists and patterns', () => {
  assert.deepEqual(jsonOf('ip.src in {10.0.0.0/8 ::1 1.1.1.1..1.1.1.2}'), {
    lhs: 'ip.src',
    op: 'OneOf',
    rhs: ['10.0.0.0/8', '::1', { start: '1.1.1.1', end: '1.1.1.2' }],
  });
  assert.deepEqual(jsonOf('http.host in {"a" 61:ff "\\xff"}'), {
    lhs: 'http.host',
    op: 'OneOf',
    rhs: ['a', [97, 255], [255]],
  });
  assert.deepEqual(jsonOf('ip.src in $office'), { lhs: 'ip.src', op: 'InList', rhs: 'office' });
  assert.deepEqual(jsonOf('http.host strict wildcard "a*"'), {
    lhs: 'http.host',
    op: 'Strict Wildcard',
    rhs: 'a*',
  });
});

test('toJson writes calls and quantifiers', () => {
  const names = {
    name: 'lower',
    args: [{ kind: 'IndexExpr', value: ['http.request.headers.names', { kind: 'MapEach' }] }],
  };
  assert.deepEqual(jsonOf('any(lower(http.request.headers.names[*])[*] contains "x")'), {
    op: 'Any',
    arg: { kind: 'SimpleExpr', value: { lhs: [names, { kind: 'MapEach' }], op: 'Contains', rhs: 'x' } },
  });
  assert.deepEqual(jsonOf('all(test.flags)'), { op: 'All', arg: { kind: 'IndexExpr', value: 'test.flags' } });
});

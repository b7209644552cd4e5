import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Template } from '../template.ts';
import { operators } from './operators.ts';

const scope = {
  lookUp: (_: string, key: string | undefined) =>
    key === 'limit' ? '5' : key === 'country_code' ? 'NL' : '',
};
const files: Readonly<Record<string, string>> = {
  'words.data': '# comment\nevil\n',
  'nets.data': '192.0.2.0/24\n',
};
const context = { readFile: (name: string) => files[name]! };

const cases: readonly (readonly [name: string, argument: string, matches: string[], others: string[]])[] = [
  ['rx', '^a.c$', ['abc', 'a\nc'], ['abcd', 'abc\n']],
  ['pm', 'Foo bar', ['a FOO', 'bars'], ['fo', '']],
  ['pmfromfile', 'words.data', ['EVIL'], ['comment']],
  ['eq', '3', ['3', '03'], ['2', '']],
  ['eq', '0', ['', 'x', '0'], ['1']],
  ['ge', '%{tx.limit}', ['5', '6'], ['4']],
  ['gt', '5', ['6'], ['5']],
  ['le', '5', ['5'], ['6']],
  ['lt', '5', ['4'], ['5']],
  ['beginswith', 'ab', ['abc'], ['cab']],
  ['endswith', 'ab', ['cab'], ['abc']],
  ['contains', 'ab', ['cabc'], ['acb']],
  ['containsword', 'ab', ['c ab.d', 'ab'], ['cab', 'ab_']],
  ['streq', 'ab', ['ab'], ['AB']],
  ['within', 'GET POST', ['GET'], ['PUT']],
  ['ipmatch', '192.0.2.0/24,::1', ['192.0.2.9', '::1'], ['198.51.100.1', 'x']],
  ['ipmatchfromfile', 'nets.data', ['192.0.2.9'], ['198.51.100.1']],
  ['geolookup', '', ['192.0.2.9'], []],
  ['rbl', 'list.example', [], ['192.0.2.9']],
  ['validatebyterange', '32-126', ['a\n', 'é'], ['abc']],
  ['validateurlencoding', '', ['%zz', '%4'], ['%41']],
  ['validateutf8encoding', '', ['\xc0\xaf', '\xed\xa0\x80'], ['abc', '\xc3\xa9']],
  ['unconditionalmatch', '', ['x'], []],
  ['nomatch', '', [], ['x']],
  ['detectsqli', '', ["1' OR '1'='1", '1 UNION SELECT a,b FROM t'], ['select a colour', "it's fine"]],
  [
    'detectxss',
    '',
    ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>'],
    ['a < b and c > d', 'x = y'],
  ],
];

test('every operator has a case, and matches what its case says', () => {
  for (const [name, argument, matches, others] of cases) {
    const operator = operators.get(name)!.prepare(new Template(argument), context);
    for (const value of matches)
      assert.equal(operator.test(value, scope), true, `@${name} ${argument} on ${value}`);
    for (const value of others)
      assert.equal(operator.test(value, scope), false, `@${name} ${argument} on ${value}`);
  }
  const tried = new Set(cases.map(([name]) => name));
  assert.deepEqual(
    [...new Set([...operators.values()].map(({ name }) => name))].filter((name) => !tried.has(name)),
    [],
  );
});

test('operators refuse arguments that mean nothing', () => {
  const prepare = (name: string, argument: string) => () =>
    operators.get(name)!.prepare(new Template(argument), context);
  assert.throws(prepare('rx', '('), /the pattern is invalid/);
  assert.throws(prepare('pm', ' '), /no phrases/);
  assert.throws(prepare('ipmatch', '1.2.3'), /"1.2.3" is neither an address nor a network/);
  assert.throws(prepare('validatebyterange', '1-300'), /"1-300" is not a byte range/);
});

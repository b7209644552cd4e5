import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Filter } from '../ast.ts';
import { expressionCharactersMax } from '../limits.ts';
import { parse, parseValue } from '../parse/parse.ts';
import { expressionText, testScheme, withoutPlaces } from '../testing.ts';
import { format } from './format.ts';

function parsed(source: string): Filter {
  const result = parse(source, { scheme: testScheme });
  assert.ok(result.ok, `${source}\n${result.ok ? '' : result.error.message}`);
  return result.tree;
}

test('format returns a text with the same tree, and is idempotent', () => {
  fc.assert(
    fc.property(expressionText, fc.constantFrom(20, 80, Infinity), (source, widthMax) => {
      fc.pre(source.length < expressionCharactersMax / 2);
      const tree = parsed(source);
      const text = format(tree, { widthMax });
      const again = parsed(text);
      assert.deepEqual(withoutPlaces(again), withoutPlaces(tree));
      assert.equal(format(again, { widthMax }), text);
    }),
    { numRuns: 1500 },
  );
});

const spellings: readonly (readonly [source: string, canonical: string])[] = [
  ['http.host=="a"&&!ssl||ssl', '(http.host eq "a" and not ssl) or ssl'],
  ['ssl and ssl and ssl', 'ssl and ssl and ssl'],
  ['(ssl and ssl) and ssl', '(ssl and ssl) and ssl'],
  ['((ssl))', 'ssl'],
  ['ip.src.asnum in {0x10 010 5..5 1..3}', 'ip.src.asnum in {16 8 5 1..3}'],
  ['ip.src in {10/8 1.1.1.1/32 2001:DB8:0:0::/32}', 'ip.src in {10.0.0.0/8 1.1.1.1 2001:db8::/32}'],
  [String.raw`http.host eq "\x41\012\""`, String.raw`http.host eq "A\x0A\""`],
  ['http.host eq 0a-ff', 'http.host eq 0A:FF'],
  ['http.host ~ r#"\\d"#', String.raw`http.host matches r"\d"`],
  ['any (test.flags)', 'any(test.flags)'],
  ['all(( test.flags ))', 'all((test.flags))'],
  ['http.request.headers[ "x" ][ 0x1 ] eq "a"', 'http.request.headers["x"][1] eq "a"'],
  ['lower ( http.host )eq"a"', 'lower(http.host) eq "a"'],
];

for (const [source, canonical] of spellings) {
  test(`format writes ${source} as ${canonical}`, () => {
    assert.equal(format(parsed(source)), canonical);
  });
}

test('format breaks wide combinations before their operators', () => {
  const tree = parsed('http.host eq "aaaa" and (ssl or http.host eq "bbbb") and ssl');
  assert.equal(
    format(tree, { widthMax: 30 }),
    'http.host eq "aaaa"\nand (ssl or http.host eq "bbbb")\nand ssl',
  );
});

test('format omits parentheses that would make an expression too deep', () => {
  const source = `${'ssl or ssl and ('.repeat(127)}ssl${')'.repeat(127)}`;
  const text = format(parsed(source));
  assert.deepEqual(withoutPlaces(parsed(text)), withoutPlaces(parsed(source)));
});

test('format writes value expressions', () => {
  const result = parseValue('concat( "a",http.host )');
  assert.ok(result.ok);
  assert.equal(format(result.tree), 'concat("a", http.host)');
});

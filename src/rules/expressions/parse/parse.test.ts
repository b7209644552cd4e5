import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Diagnostic, printDiagnostic } from '../diagnostic.ts';
import { expressionCharactersMax, nestingDepthLargest, nestingDepthMax, regexesMax } from '../limits.ts';
import { testScheme } from '../testing.ts';
import { parse, type ParseOptions, parseValue } from './parse.ts';

function errorOf(source: string, options: ParseOptions = {}): Diagnostic {
  const result = parse(source, { scheme: testScheme, ...options });
  assert.ok(!result.ok, `${source} should be refused`);
  return result.error;
}

function warningsOf(source: string): readonly string[] {
  const result = parse(source);
  assert.ok(result.ok);
  return result.warnings.map(
    ({ code, message, hint }) => `${code}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
}

test('parse reports the location of an error, in UTF-16 units and in bytes', () => {
  const source = 'ssl and\n"é" nope';
  const { span, line, column, length } = errorOf(`ssl and\nhttp.host eq "é😀" and nope`);
  assert.deepEqual({ line, column, length }, { line: 2, column: 27, length: 4 });
  assert.equal(`ssl and\nhttp.host eq "é😀" and nope`.slice(span.start, span.end), 'nope');
  assert.equal(errorOf(source).column, 1);
});

test('printDiagnostic puts the carets below the text they refer to', () => {
  const source = 'http.host eq "é😀" and nope';
  assert.equal(
    printDiagnostic(source, errorOf(source)),
    'Filter parsing error (1:27):\nhttp.host eq "é😀" and nope\n                      ^^^^ unknown identifier\n',
  );
});

test('printDiagnostic prints the line of the error only, and one caret for an empty span', () => {
  const source = 'ssl and\nssl or\n';
  assert.equal(
    printDiagnostic(source, errorOf(source)),
    'Filter parsing error (2:7):\nssl or\n      ^ expected identifier character\n',
  );
});

const hints: readonly (readonly [source: string, hint: string])[] = [
  ['http.hots eq "a"', 'did you mean http.host?'],
  ['lowr(http.host) eq "a"', 'did you mean lower?'],
  ['HTTP.HOST eq "a"', 'names are lower-case: http.host'],
  ['ssl\tand ssl', 'a tab is not white space here: write a space'],
  ['ssl \tand ssl', 'a tab is not white space here: write a space'],
  ['ssl eq true', 'a Bool stands alone: write ssl'],
  ['ssl == false', 'a Bool stands alone: write not ssl'],
  ['ssl ne true', 'a Bool stands alone: write not ssl'],
  ['(ssl))', 'there is no opening parenthesis for this one'],
  ['ssl AND ssl', 'operators are lower-case'],
  ['http.host EQ "a"', 'operators are lower-case'],
  ['http.host = "a"', 'equality is eq or =='],
  ['http.host not in {"a"}', 'write not before the field: not … in {…}'],
  ['http.host strict  wildcard "a"', 'exactly one space between strict and wildcard'],
  ['http.request.headers ["x"][0] eq "a"', 'no space before ['],
  ['ip.src.asnum in {80,443}', 'items of a set are separated by spaces: {80 443}'],
  ['http.host in {"a","b"}', 'items of a set are separated by spaces: {80 443}'],
  ['ip.src eq 10.0.0.0/8', 'a network needs a set: in {10.0.0.0/8}'],
  ['http.host eq http.referer', 'the right side is a literal: two fields cannot be compared'],
  ['http.host contains {"a" "b"}', 'this operator takes one value: combine several with or, or use in {…}'],
  ["http.host eq 'a'", 'strings are in double quotes'],
  ['http.host eq example', 'strings are in double quotes'],
  ["http.host matches 'a'", 'strings are in double quotes'],
  [String.raw`http.host eq "\d"`, 'write the byte as \\xHH, or use a raw string: r"…"'],
  ['ip.src in $Office', 'names of lists are lower-case letters, digits and _'],
  ['any(test.flags or test.flags)', 'put a combined condition in parentheses of its own: any((… or …))'],
  ['test.flags', 'wrap a condition over [*] in any(…) or all(…)'],
  ['lower(cf.ray_ic) eq "a"', 'read as a name: unknown identifier: did you mean cf.ray_id?'],
  ['substring(http.host, 0x1) eq "a"', 'a number among arguments is decimal or octal'],
];

for (const [source, hint] of hints) {
  test(`parse hints at ${JSON.stringify(source)}: ${hint}`, () => {
    assert.equal(errorOf(source).hint, hint);
  });
}

test('parse warns of deprecated names, once each', () => {
  assert.deepEqual(warningsOf('ip.geoip.country eq "a" or ip.geoip.country eq "b"'), [
    'deprecated_field: ip.geoip.country is deprecated (write ip.src.country)',
  ]);
});

test('parse warns of fields that only a global network can fill', () => {
  assert.deepEqual(warningsOf('cf.waf.score lt 20'), [
    'global_field: only a global network can fill cf.waf.score: here it is always its default',
  ]);
});

test('parse warns of addresses in short form', () => {
  assert.deepEqual(warningsOf('ip.src in {10/8 10.0.0.0/8}'), [
    'short_network: not every reader understands an address in short form (write 10.0.0.0/8)',
  ]);
});

test('parse does not know hidden fields', () => {
  assert.equal(errorOf('has_key(gatehouse.jwt.valid, "a")').code, 'unknown_identifier');
});

test('parse refuses lists that do not exist, if the existing lists are given', () => {
  const { code, hint, span } = errorOf('ip.src in $ofice', { lists: ['office'] });
  assert.deepEqual(
    { code, hint, span },
    { code: 'unknown_list', hint: 'did you mean office?', span: { start: 10, end: 16 } },
  );
  assert.ok(parse('ip.src in $office', { lists: ['office'] }).ok);
});

test('parse refuses an expression that is too long, counting characters', () => {
  const longest = `http.host eq "${'😀'.repeat(expressionCharactersMax - 15)}"`;
  assert.ok(parse(longest).ok);
  const { code, span } = errorOf(`${longest} `);
  assert.deepEqual({ code, start: span.start }, { code: 'length_limit', start: longest.length });
});

test('parse refuses an expression that is nested too deep', () => {
  const nested = (depth: number): string => `${'('.repeat(depth)}ssl${')'.repeat(depth)}`;
  assert.ok(parse(nested(nestingDepthMax)).ok);
  assert.equal(errorOf(nested(nestingDepthMax + 1)).code, 'nesting_limit');
  assert.ok(parse(nested(nestingDepthLargest), { nestingDepthMax: nestingDepthLargest }).ok);
  assert.throws(() => parse('ssl', { nestingDepthMax: nestingDepthLargest + 1 }), RangeError);
});

test('parse counts depth, not occurrences', () => {
  assert.ok(parse(Array(300).fill('(ssl)').join(' or ')).ok);
});

test('parse refuses too many regular expressions', () => {
  const many = (count: number): string => Array(count).fill('http.host matches "a"').join(' or ');
  assert.ok(parse(many(regexesMax)).ok);
  const { code, span } = errorOf(many(regexesMax + 1));
  assert.deepEqual(
    { code, text: many(regexesMax + 1).slice(span.start, span.end) },
    { code: 'regex_limit', text: '"a"' },
  );
});

test('parseValue refuses a second replacement, and one within another', () => {
  const twice = 'concat(regex_replace(http.host, "a", ""), regex_replace(http.host, "a", ""))';
  const within = 'wildcard_replace(regex_replace(http.host, "a", ""), "*", "")';
  for (const source of [twice, within]) {
    const result = parseValue(source);
    assert.equal(result.ok ? undefined : result.error.code, 'function_use');
  }
});

test('parseValue refuses a field that the function does not accept', () => {
  const result = parseValue('remove_query_args(http.host, "a")');
  assert.match(result.ok ? '' : result.error.message, /expected http\.request\.uri\.query or raw/);
});

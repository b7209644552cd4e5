/**
 * Any input gets a result: random bytes, expressions with random damage, random patterns, random requests. Input that
 * still parses is run in every possible way, and all ways agree.
 *
 *     FUZZ_RUNS=100000 node --test test/rules/fuzz.test.ts
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compile,
  compileList,
  explain,
  format,
  interpret,
  interpretValue,
  isMatch,
  parse,
  parseValue,
  printDiagnostic,
  createRequest,
  scheme,
  toJson,
  type Value,
} from '#expressions';
import { requestFrom } from '#request';
import { expression } from './properties/expressions.ts';
import { knownFields, runOptions, testScheme } from './properties/requests.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 600);

/** Parses a text and, if it is an expression, applies every function to it. */
function exercise(source: string, known: ReadonlyMap<string, Value>): void {
  const parsed = parse(source, { scheme: testScheme });
  parseValue(source, { scheme: testScheme });
  if (!parsed.ok) {
    const { span } = parsed.error;
    assert.ok(
      span.start >= 0 && span.start <= span.end && span.end <= source.length,
      'the error is in the text',
    );
    assert.ok(printDiagnostic(source, parsed.error).includes(parsed.error.message));
    return;
  }
  const expected = interpret(parsed.tree, runOptions)(createRequest(known));
  assert.equal(compile(parsed.tree, runOptions)(createRequest(known)), expected);
  assert.equal(isMatch(explain(parsed.tree, createRequest(known), runOptions)), expected);
  assert.deepEqual(compileList([parsed.tree], runOptions).matches(createRequest(known)), expected ? [0] : []);
  assert.ok(JSON.stringify(toJson(parsed.tree)).length > 0);
  const printed = parse(format(parsed.tree), { scheme: testScheme });
  assert.ok(printed.ok, `what is printed parses again: ${format(parsed.tree)}`);
  assert.deepEqual(toJson(printed.tree), toJson(parsed.tree));
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(...Array.from('abr"#\\{}()[]*.,:/$&|^!=<>~ \t\n0123x-é')),
    maxLength: 40,
  }),
);

/** Tokens of the language, in the wrong place. */
const piece = fc.constantFrom(
  '"', '\\', '(', ')', '{', '}', '[*]', '[0]', '["x"]', ' ', '\t', '\n', ',', '..', '/8', '$', 'not ', ' and ', ' or ', 'r#"', '#',
  'any(', 'all(', 'lower(', 'eq', ' in ', '0x', '-', '1', ':', '::', '10.0.0.0', '\xe9', '\u{1f600}', '\ud800', '\\xff', '(?i', '+*', 'ssl',
); // prettier-ignore

const damage = fc.record({
  at: fc.nat(),
  remove: fc.nat({ max: 6 }),
  insert: fc.oneof(fc.constant(''), piece, anyText),
});

function applyDamage(
  source: string,
  edits: readonly { at: number; remove: number; insert: string }[],
): string {
  return edits.reduce((text, { at, remove, insert }) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + insert + text.slice(start + remove);
  }, source);
}

test('parse and all that follows survive any text', () => {
  fc.assert(fc.property(anyText, knownFields, exercise), { numRuns: runs });
});

test('parse and all that follows survive expressions with damage', () => {
  const edits = fc.array(damage, { maxLength: 3 });
  fc.assert(
    fc.property(expression, edits, knownFields, (source, list, known) =>
      exercise(applyDamage(source, list), known),
    ),
    { numRuns: runs },
  );
});

test('parse and all that follows survive any pattern', () => {
  const part = fc.constantFrom(
    'a', 'b', '.', '\\d', '\\w', '\\b', '[a-c]', '[^a]', '[[:alpha:]&&[^b]]', '(', ')', '(?:', '(?i)', '(?x) ', '|', '*', '+', '?',
    '{2}', '{1,3}', '{,2}', '^', '$', '\\x{e9}', '\\xff', 'é', '\\', '[', ']', '\\pL', '(?P<n>', '(?=', '\\1',
  ); // prettier-ignore
  const pattern = fc
    .array(part, { maxLength: 12 })
    .map((parts) => `http.host matches r##"${parts.join('')}"##`);
  fc.assert(fc.property(pattern, knownFields, exercise), { numRuns: runs });
});

test('parse survives depth and length up to its limits and beyond', () => {
  const deep = (open: string, close: string, depth: number): string =>
    `${open.repeat(depth)}ssl${close.repeat(depth)}`;
  for (const depth of [127, 128, 129, 1000, 2000]) {
    exercise(deep('(', ')', depth), new Map());
    exercise(deep('not ', '', depth), new Map());
    exercise(`${'lower('.repeat(depth)}http.host${')'.repeat(depth)} eq "a"`, new Map());
  }
  exercise(Array.from({ length: 600 }, () => 'ssl').join(' or '), new Map());
  exercise(`http.host in {${'"a" '.repeat(1000)}}`, new Map());
  exercise(`http.host eq "${'a'.repeat(100_000)}"`, new Map());
});

test('requestFrom survives any description', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      'multipart/form-data; boundary=a',
      'application/x-www-form-urlencoded',
      '--a\r\n\r\n--a--',
    ),
  );
  const headers = fc.array(
    fc.tuple(fc.oneof(text, fc.constantFrom('Content-Type', 'Cookie', 'Accept-Language')), text),
  );
  const description = fc.record({ url: text, method: text, headers, body: text, ip: text, country: text });
  // One expression for each field, so that each is read.
  const readers = [...scheme.fields.values()].map(({ name, type }) =>
    parseValue(type.kind === 'Bool' ? `to_string(${name})` : name),
  );
  const trees = readers.flatMap((parsed) => (parsed.ok ? [parsed.tree] : []));
  assert.ok(trees.length > scheme.fields.size / 2);
  fc.assert(
    fc.property(description, (described) => {
      const request = requestFrom(described);
      for (const tree of trees) assert.notEqual(interpretValue(tree)(request), undefined);
    }),
    { numRuns: Math.ceil(runs / 10) },
  );
});

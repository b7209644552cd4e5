import { checkLinear } from '../../../tools/count-work.ts';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readJson, readJsonInPieces } from './json.ts';
import { jsonDepthMax, jsonKeysMax, jsonValuesMax } from './limits.ts';

/** The maximum size of API bodies. */
const bodyBytesMax = 4 * 1024 * 1024;

function read(text: string): ReturnType<typeof readJson> {
  return readJson(Buffer.from(text));
}

function reasonOf(text: string): string {
  const result = read(text);
  return result.ok ? `read as ${JSON.stringify(result.value)}` : result.reason;
}

/** Input that `JSON.parse` accepts and this does not, each with the text of the refusal. */
const stated = [
  /is there twice/,
  /__proto__/,
  /surrogate/,
  /too large/,
  /nested deeper/,
  /a key of more/,
  /more than \d+ (?:keys|values)/,
];

test('readJson reads every value as JSON.parse does, or refuses it for a stated reason', () => {
  const value = fc.json({ maxDepth: 6, stringUnit: 'binary' });
  fc.assert(
    fc.property(value, (text) => {
      const result = readJson(Buffer.from(text));
      if (result.ok) deepEqual(result.value, JSON.parse(text));
      else
        ok(
          stated.some((reason) => reason.test(result.reason)),
          result.reason,
        );
    }),
    { numRuns: 500 },
  );
});

test('readJson takes nothing that JSON.parse refuses', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '"a"',
    '"\\u00e9"',
    '"\\x"',
    '1',
    '-',
    '01',
    '.5',
    '1e5',
    '1e400',
  ];
  const words = [
    'true',
    'nul',
    'NaN',
    ' ',
    '\n',
    '\u00a0',
    '\ufeff',
    '\u0001',
    "'",
    '//',
    '"\\ud800"',
    '"a":1',
  ];
  const text = fc
    .array(fc.constantFrom(...pieces, ...words), { maxLength: 8 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (source) => {
      // A byte order mark at the beginning is not part of the text.
      const parsed = parsedBy(JSON.parse, source.replace(/^\ufeff/, ''));
      const result = read(source);
      if (!result.ok) ok(parsed === undefined || stated.some((reason) => reason.test(result.reason)));
      else deepEqual({ value: result.value }, parsed);
    }),
    { numRuns: 5_000 },
  );
});

function parsedBy(parse: (text: string) => unknown, text: string): { value: unknown } | undefined {
  try {
    return { value: parse(text) };
  } catch {
    return undefined;
  }
}

test('readJson never throws, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      equal(typeof readJson(bytes).ok, 'boolean');
    }),
    { numRuns: 1_000 },
  );
});

test('readJson says what is wrong, and where', () => {
  const cases: [string, string][] = [
    ['', 'expected a value at line 1, column 1'],
    ['{"a":\n  1,\n  "a":2}', 'the key "a" is there twice at line 3, column 3'],
    ['{"a":1,"\\u0061":2}', 'the key "a" is there twice at line 1, column 8'],
    ['{"__proto__":{}}', 'the key "__proto__" at line 1, column 2'],
    ['{"\\u005f_proto__":{}}', 'the key "__proto__" at line 1, column 2'],
    [`{"${'k'.repeat(257)}":1}`, 'a key of more than 256 characters at line 1, column 2'],
    ['[1,]', 'expected a value at line 1, column 4'],
    ['{"a":1,}', 'expected a key in quotes at line 1, column 8'],
    ['{"a" 1}', 'expected ":" at line 1, column 6'],
    ['[1 2]', 'expected "," or "]" at line 1, column 4'],
    ['{"a":1 "b"}', 'expected "," or "}" at line 1, column 8'],
    ['[tru]', 'expected a value at line 1, column 2'],
    ['1 2', 'expected nothing more at line 1, column 3'],
    ['[1e999]', 'a number too large at line 1, column 7'],
    ['["\\ud800"]', 'a string with half of a surrogate pair at line 1, column 2'],
    [
      '"a',
      'expected a string that ends and has neither control characters nor unknown escapes at line 1, column 1',
    ],
  ];
  deepEqual(
    cases.map(([text]) => [text, reasonOf(text)]),
    cases,
  );
});

test('readJson refuses bytes that are not UTF-8', () => {
  const notUtf8 = { ok: false, reason: 'the body is not UTF-8' };
  // A lone continuation byte, an overlong slash, a surrogate, a truncated character.
  for (const hex of ['2280 22', '22c0af22', '22eda08022', '22e28222', 'ff']) {
    deepEqual(readJson(Buffer.from(hex.replace(' ', ''), 'hex')), notUtf8);
  }
});

test('readJson reads as deep as the limit and no deeper', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  equal(read(nested(jsonDepthMax + 1)).ok, true);
  equal(reasonOf(nested(jsonDepthMax + 2)), `nested deeper than ${jsonDepthMax} levels`);
  equal(reasonOf('['.repeat(bodyBytesMax)), `nested deeper than ${jsonDepthMax} levels`);
  equal(reasonOf('{"a":'.repeat(100_000)), `nested deeper than ${jsonDepthMax} levels`);
});

test('readJson bounds the keys of an object and the values of a body, and goes on in turns until then', () => {
  const keys = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
  equal(read(keys(jsonKeysMax)).ok, true);
  equal(
    reasonOf(keys(jsonKeysMax + 1)),
    `an object of more than ${jsonKeysMax} keys at line 1, column 48892`,
  );
  equal(read(`[${'1,'.repeat(jsonValuesMax - 2)}1]`).ok, true);
  for (const value of ['1', '{}', '[]', '"\\n"', '{"a":1}'])
    equal(reasonOf(`[${`${value},`.repeat(jsonValuesMax)}1]`), `more than ${jsonValuesMax} values`);
  const pieces = readJsonInPieces(Buffer.from(`[${'[1],'.repeat(50_000)}1]`));
  let steps = 0;
  let count = 0;
  for (let piece = pieces.next(); piece.done !== true; piece = pieces.next()) {
    steps = Math.max(steps, piece.value);
    count++;
  }
  deepEqual([count, steps], [100, 200_000]);
});

test('readJson takes steps that grow with the length of the text only', () => {
  const hostile: readonly ((length: number) => string)[] = [
    (length) => `"${'a'.repeat(length - 2)}"`,
    (length) => `"\\n${'a'.repeat(length)}"`,
    (length) => `"${'\\n'.repeat(length / 2)}"`,
    (length) => `"${'\\\\'.repeat(length / 2)}"`,
    (length) => `"${'\\"'.repeat(length / 2)}"`,
    (length) => `"${'\\"'.repeat(length / 2)}`,
    (length) => `"${'\\'.repeat(length)}`,
    (length) => `"\\n${'a'.repeat(length)}`,
    (length) => `[${'"\\n",'.repeat(length / 5)}1]`,
    (length) => `[${' '.repeat(length)}1]`,
    (length) => '\n'.repeat(length),
    (length) => '1'.repeat(length),
    (length) => `0.${'1'.repeat(length)}e`,
    (length) => `1e${'0'.repeat(length)}`,
    (length) => `{${Array.from({ length: length / 16 }, (_, index) => `"${index}":0`).join(',')}}`,
  ];
  for (const make of hostile) {
    const prepare = (length: number): (() => unknown) => {
      const bytes = Buffer.from(make(length));
      return () => readJson(bytes);
    };
    checkLinear(make(16), prepare, [bodyBytesMax / 8, bodyBytesMax]);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findByteKinds } from './byte-kinds.ts';
import { transformations } from './transformations.ts';

const cases: readonly (readonly [name: string, value: string, expected: string])[] = [
  ['urldecode', 'a%20b+c%zz%4', 'a b c%zz%4'],
  ['urldecodeuni', '%u0041%uff1c%41%u00', 'A<A%u00'],
  ['htmlentitydecode', '&lt;a&#x41;&#66&nbsp;&ampx;&unknown;', '<aAB\u00a0&ampx;&unknown;'],
  ['jsdecode', String.raw`\x41\u0042\103\n\q`, 'ABC\nq'],
  [
    'cssdecode',
    String.raw`\41 b\000063c\
d`,
    'Abccd',
  ],
  ['escapeseqdecode', String.raw`\x41\102\t\q`, String.raw`AB` + '\t' + String.raw`\q`],
  ['utf8tounicode', '\xc3\xa9a\xff', '%u00e9a\xff'],
  ['base64decode', 'aGVsbG8!xx', 'hello'],
  ['base64decodeext', 'aGV.sbG8=', 'hello'],
  ['base64encode', 'hello', 'aGVsbG8='],
  ['hexdecode', '414243', 'ABC'],
  ['hexencode', 'AB', '4142'],
  ['sqlhexdecode', "x'0x414243'", "x'ABC'"],
  ['sha1', '', Buffer.from('da39a3ee5e6b4b0d3255bfef95601890afd80709', 'hex').toString('latin1')],
  ['md5', '', Buffer.from('d41d8cd98f00b204e9800998ecf8427e', 'hex').toString('latin1')],
  ['length', 'abc', '3'],
  ['lowercase', 'AbÀ', 'abÀ'],
  ['uppercase', 'abc1', 'ABC1'],
  ['removenulls', 'a\0b', 'ab'],
  ['replacenulls', 'a\0b', 'a b'],
  ['removewhitespace', ' a \t b\u00a0', 'ab'],
  ['compresswhitespace', 'a \t\n b', 'a b'],
  ['trim', '  a b ', 'a b'],
  ['trimleft', '  a ', 'a '],
  ['trimright', ' a  ', ' a'],
  ['replacecomments', 'a/* b */c/* d', 'a c '],
  ['removecomments', 'a/*b*/c--d', 'ac'],
  ['removecommentschar', 'a/*b*/c--d#', 'abcd'],
  ['cmdline', String.raw`C^A"T  /ETC,PASSWD`, 'cat/etc passwd'],
  ['normalizepath', '/a/./b//../c/', '/a/c/'],
  ['normalizepath', '../../a', '../../a'],
  ['normalizepathwin', String.raw`\a\..\b`, '/b'],
  ['urlencode', 'a b/é', 'a+b%2f%e9'],
];

test('every transformation has a case, and gives what its case says', () => {
  for (const [name, value, expected] of cases) {
    assert.equal(transformations.get(name)!.apply(value), expected, `${name} of ${JSON.stringify(value)}`);
  }
  const tried = new Set(cases.map(([name]) => name));
  const untried = new Set(
    [...transformations.values()].map(({ name }) => name).filter((name) => !tried.has(name)),
  );
  assert.deepEqual([...untried], []);
});

test('a transformation leaves a value without the bytes it names as it is', () => {
  const value = fc.string({
    unit: fc.constantFrom(...'aZ9 %+&\\/.*\'",;#-<^\0\n\u00a0\u00e9u41x'.split('')),
  });
  fc.assert(
    fc.property(fc.constantFrom(...transformations.values()), value, ({ touches, apply }, text) => {
      if (touches !== -1 && (findByteKinds(text) & touches) === 0) assert.equal(apply(text), text);
    }),
    { numRuns: 5_000 },
  );
});

/** Transformations that work in place, defined by patterns. */
const definitions: Readonly<Record<string, (value: string) => string>> = {
  lowercase: (value) => value.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  cmdline: (value) =>
    value
      .replaceAll(/[\\"'^]/g, '')
      .replaceAll(/[,; \t\n\v\f\r]+/g, ' ')
      .replaceAll(/ (?=[/(])/g, '')
      .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  urldecode: (value) =>
    value.replaceAll('+', ' ').replaceAll(/%([0-9A-Fa-f]{2})/g, (_, two: string) => byteOf(two)),
  urldecodeuni: (value) =>
    value.replaceAll('+', ' ').replaceAll(/%(?:[uU]([0-9A-Fa-f]{4})|([0-9A-Fa-f]{2}))/g, (_, four, two) => {
      if (four === undefined) return byteOf(two);
      const low = Number.parseInt(four.slice(2), 16);
      const isFullWidth = /^ff/i.test(four) && low > 0 && low < 0x5f;
      return String.fromCharCode(isFullWidth ? low + 0x20 : low);
    }),
};

function byteOf(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

test('transformations in place give what their patterns say', () => {
  const value = fc.string({
    unit: fc.constantFrom(
      '%',
      '%u',
      '%U',
      'ff',
      'FF',
      '41',
      '0',
      'g',
      '+',
      ' ',
      ',',
      '"',
      '^',
      '\\',
      '/',
      '(',
      'Z',
      '\xc9',
    ),
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.constantFrom(...Object.entries(definitions)), value, ([name, define], text) => {
      assert.equal(transformations.get(name)!.apply(text), define(text));
    }),
    { numRuns: 5_000 },
  );
});

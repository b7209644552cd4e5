import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LiteralSet } from './literal-set.ts';

function occurrences(literals: readonly string[], value: string): string[] {
  const found: string[] = [];
  for (const [index, literal] of literals.entries()) {
    for (let at = value.indexOf(literal); at !== -1; at = value.indexOf(literal, at + 1)) {
      found.push(`${index}@${at + literal.length}`);
      if (literal === '' && at === value.length) break;
    }
  }
  return found.toSorted();
}

function scanned(set: LiteralSet, value: string): string[] {
  const found: string[] = [];
  set.scan(value, (literal, end) => found.push(`${literal}@${end}`));
  return found.toSorted();
}

test('LiteralSet reports every occurrence with the position behind it', () => {
  const set = new LiteralSet(['he', 'she', 'his', 'hers', 'he']);
  deepEqual(scanned(set, 'ushers'), ['0@4', '1@4', '3@6', '4@4']);
  equal(set.test('ushers'), true);
  equal(set.test('nothing'), false);
});

test('LiteralSet ignores the case of ASCII letters only', () => {
  const set = new LiteralSet(['Union', '\xe9', '[x'], { ignoreCase: true });
  deepEqual(scanned(set, 'UNION uNiOn'), ['0@11', '0@5']);
  equal(set.test('\xc9'), false);
  equal(set.test('\xe9'), true);
  equal(set.test('{X'), false);
  equal(set.test('[X'), true);
});

test('LiteralSet finds the empty literal everywhere, and nothing in an empty set', () => {
  const set = new LiteralSet(['', 'a']);
  deepEqual(scanned(set, 'ba'), ['0@0', '0@1', '0@2', '1@2']);
  equal(set.test(''), true);
  equal(new LiteralSet([]).test('abc'), false);
  deepEqual(scanned(new LiteralSet([]), 'abc'), []);
});

test('LiteralSet marks each literal that occurs, whatever the overlap', () => {
  const literals = Array.from({ length: 64 }, (_, i) => 'a'.repeat(i + 1));
  const set = new LiteralSet(literals);
  const marks = new Uint8Array(literals.length);
  equal(set.mark('a'.repeat(100_000), marks), true);
  deepEqual(marks, new Uint8Array(literals.length).fill(1));
  equal(set.mark('aaa', marks), false);
});

test('LiteralSet agrees with indexOf on any bytes', () => {
  const bytes = (alphabet: string, maxLength: number): fc.Arbitrary<string> =>
    fc.array(fc.constantFrom(...alphabet.split('')), { maxLength }).map((characters) => characters.join(''));
  const text = fc.oneof(bytes('ab', 8), bytes('aAbB\0\xff', 8));
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 12 }),
      bytes('abAB\0\xff\x80', 40),
      fc.boolean(),
      (literals, value, ignoreCase) => {
        const set = new LiteralSet(literals, { ignoreCase });
        const fold = (each: string): string =>
          ignoreCase ? each.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : each;
        const expected = occurrences(literals.map(fold), fold(value));
        deepEqual(scanned(set, value), expected);
        equal(set.test(value), expected.length > 0);
        const marks = new Uint8Array(literals.length);
        set.mark(value, marks);
        deepEqual(
          [...marks],
          literals.map((_, index) => (expected.some((hit) => hit.startsWith(`${index}@`)) ? 1 : 0)),
        );
      },
    ),
  );
});

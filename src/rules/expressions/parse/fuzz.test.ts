/** Whatever the input, the parser returns a tree, or one diagnostic that lies within the text. */
import { checkLinear } from '../../../../tools/count-work.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { complete } from '../assist/complete.ts';
import { hover } from '../assist/hover.ts';
import { printDiagnostic } from '../diagnostic.ts';
import { expressionCharactersMax } from '../limits.ts';
import { expressionText, testScheme } from '../testing.ts';
import { parse, parseValue } from './parse.ts';

function answers(source: string): void {
  for (const result of [parse(source, { scheme: testScheme }), parseValue(source, { scheme: testScheme })]) {
    for (const { span, line, column, length, message, ...diagnostic } of result.ok
      ? result.warnings
      : [result.error]) {
      assert.ok(0 <= span.start && span.start <= span.end && span.end <= source.length);
      assert.ok(line >= 1 && column >= 1 && length >= 1 && message !== '');
      printDiagnostic(source, { span, line, column, length, message, ...diagnostic });
    }
  }
}

const runs = { numRuns: Number(process.env['FUZZ_RUNS'] ?? 1500) };

test('parse never throws for any characters', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), answers), runs);
});

test('parse never throws for any bytes, decoded as UTF-8', () => {
  const text = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('utf8'));
  fc.assert(fc.property(text, answers), runs);
});

const words = String.raw`and or xor not ! && || ^^ any( all( ( ) [ ] [*] ["x"] [0] eq ne in contains matches ~ wildcard &
{ } .. , $a ssl http.host ip.src ip.src.asnum http.request.headers test.flags lower( concat( len( cidr( " "a" r" r#" # \
61:62 10.0.0.0/8 ::1 0x 1 - é`;
const fragments = [...words.split(/\s/), ' ', '\t', '\n', 'strict wildcard'];

test('parse never throws for any sequence of tokens of the language', () => {
  const text = fc.array(fc.constantFrom(...fragments), { maxLength: 25 }).map((parts) => parts.join(''));
  fc.assert(fc.property(text, answers), runs);
});

test('parse never throws for a valid expression with a part removed, doubled or replaced', () => {
  const change = fc.record({
    at: fc.nat(),
    length: fc.nat({ max: 5 }),
    piece: fc.constantFrom('', ...fragments),
  });
  fc.assert(
    fc.property(expressionText, change, (text, { at, length, piece }) => {
      const start = at % (text.length + 1);
      answers(text.slice(0, start) + piece + text.slice(start + length));
    }),
    runs,
  );
});

test('complete and hover never throw anywhere in any text', () => {
  fc.assert(
    fc.property(expressionText, fc.nat(), fc.nat(), (text, cut, at) => {
      const source = text.slice(0, cut % (text.length + 1));
      complete(source, at % (source.length + 1), { scheme: testScheme, lists: ['a'] });
      hover(source, at % (source.length + 1), testScheme);
    }),
    { numRuns: 500 },
  );
});

/** Texts that make a careless parser backtrack endlessly or recurse too deeply. */
const hostile: readonly (readonly [name: string, piece: string])[] = [
  ['parentheses', '('],
  ['negations', '!'],
  ['negations in words', 'not '],
  ['calls', 'lower('],
  ['calls that look like numbers', 'decode_base64('],
  ['quantifiers', 'any('],
  ['brackets', 'http.request.headers['],
  ['quotes', '"'],
  ['raw strings', 'r#"'],
  ['hashes', 'http.host eq r#'],
  ['sets', 'ip.src.asnum in {'],
  ['digits', '1'],
  ['dots', 'a.'],
  ['spaces', ' '],
  ['escapes', '\\x'],
  ['comparisons', 'ssl or '],
  ['patterns', 'http.host matches "(((" or '],
  ['wildcards', 'http.host wildcard "*a*a*a*" or '],
];

for (const [name, piece] of hostile) {
  test(`parse takes a number of steps proportional to the source with many ${name}`, () => {
    for (const prefix of ['', 'http.host eq ', 'lower(', 'http.host matches "', 'ip.src.asnum eq ']) {
      const prepare = (length: number): (() => void) => {
        const source = (prefix + piece.repeat(length)).slice(0, length);
        return () => answers(source);
      };
      checkLinear(`${prefix}${piece}`, prepare, [expressionCharactersMax / 8, expressionCharactersMax]);
    }
  });
}

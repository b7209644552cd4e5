import { checkLinear, countWork } from '../../../tools/count-work.ts';
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePattern } from './parse-pattern.ts';
import { sourceOf, valueBytes } from './testing.ts';
import type { Dialect, Pattern, RequiredLiterals } from './types.ts';

function parsed(source: string, dialect: Dialect = 'rust'): Pattern {
  const result = parsePattern(source, dialect);
  if (!result.ok) throw new Error(result.error.message);
  return result.pattern;
}

test('Pattern finds the leftmost match, and the first branch that gives one', () => {
  deepEqual(parsed('b|ab').find('ab'), { start: 0, end: 2 });
  deepEqual(parsed('sam|samwise').find('samwise'), { start: 0, end: 3 });
  deepEqual(parsed('a*?').find('aaa'), { start: 0, end: 0 });
  deepEqual(parsed('').find('abc'), { start: 0, end: 0 });
  equal(parsed('x').find('abc'), undefined);
});

test('Pattern keeps groups of earlier rounds, and rounds that took nothing, unlike JavaScript', () => {
  deepEqual(parsed('(?:(a)|b)*').match('ab')?.groups, ['ab', 'a']);
  deepEqual(parsed('(?:|a)+').find('aaa'), { start: 0, end: 0 });
  deepEqual(parsed('(a|b)+').match('xab')?.groups, ['ab', 'b']);
  deepEqual(parsed('(a)?b').match('b')?.groups, ['b', undefined]);
});

test('Pattern gives one answer however long the value is', () => {
  const pattern = parsed('(\\w+)@(\\w+)\\.(?:com|org)');
  const filler = '.'.repeat(pattern.nativeLengthMax + 1);
  for (const text of ['joe@example.org', 'joe@example.net', '@', 'a@b.com@c.org']) {
    equal(pattern.test(filler + text), pattern.test(text), text);
    deepEqual(pattern.match(filler + text)?.groups, pattern.match(text)?.groups, text);
    const [short, long] = [pattern.find(text), pattern.find(filler + text)];
    equal(long && long.start - filler.length, short?.start, text);
  }
});

test('Pattern agrees with itself: test, find and match', () => {
  for (const dialect of ['rust', 'pcre'] as const) {
    fc.assert(
      fc.property(sourceOf(dialect), valueBytes, (source, value) => {
        const result = parsePattern(source, dialect);
        if (!result.ok) return;
        const found = result.pattern.find(value);
        const match = result.pattern.match(value);
        equal(found !== undefined, result.pattern.test(value));
        deepEqual(match && { start: match.start, end: match.end }, found);
        equal(match?.groups[0], found && value.slice(found.start, found.end));
        if (match) equal(match.groups.length, result.pattern.groupCount + 1);
      }),
      { numRuns: 500 },
    );
  }
});

test('Pattern goes to V8 for long values only if the pattern cannot be slow', () => {
  const limits: Array<[source: string, atLeast: number, atMost: number]> = [
    ['^/api/v\\d+/', Infinity, Infinity],
    ['^(?:GET|POST) ', Infinity, Infinity],
    ['(?i)googlebot/\\d+\\.\\d+', 1000, 10_000],
    ['\\.(?:php|aspx?)$', 1000, 10_000],
    ['\\d+\\.\\d+', 50, 500],
    ['\\s+$', 50, 500],
    ['.*.*=.*', -1, 64],
    ['(a+)+b', -1, 16],
    ['(?:a?){30}a{30}', -1, 16],
  ];
  for (const [source, atLeast, atMost] of limits) {
    const { nativeLengthMax } = parsed(source);
    equal(nativeLengthMax >= atLeast && nativeLengthMax <= atMost, true, `${source}: ${nativeLengthMax}`);
  }
});

test('Pattern names the literals a value must contain', () => {
  const exact = (...literals: string[]): RequiredLiterals => ({ literals, ignoreCase: false });
  const folded = (...literals: string[]): RequiredLiterals => ({ literals, ignoreCase: true });
  const table: Array<[source: string, required: RequiredLiterals | undefined]> = [
    ['foo', exact('foo')],
    ['^/api/v\\d+/users$', exact('/api/v')],
    ['foo.*barbar', exact('barbar')],
    ['(?i)Union\\s+select', folded('select')],
    ['foo|bar|(?i)qux', folded('foo', 'bar', 'qux')],
    ['foo(?:bar|baz)?', exact('foo')],
    ['(?:foo|bar)+x', exact('foo', 'bar')],
    ['gr[ae]y', exact('gray', 'grey')],
    ['a{3}', exact('aaa')],
    ['(?:ab){2,}', exact('abab')],
    ['\\bfoo\\b', exact('foo')],
    ['é', exact('\xc3\xa9')],
    ['foo|.*', undefined],
    ['[a-z]+', undefined],
    ['', undefined],
    ['(?:foo)?', undefined],
    ['\\d\\d', undefined],
  ];
  for (const [source, required] of table) deepEqual(parsed(source).requiredLiterals, required, source);
});

test('parsePattern gives an answer for any text in both dialects', () => {
  const pieces =
    '( ) [ ] { } ? * + | \\ ^ $ . - , : = ! < > # & ~ i u x P 0 1 9 a \\b{ \\x{ \\p{ (?< (?i (?: [^ [[: :]] {2, é \n'.split(
      ' ',
    );
  const text = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  );
  fc.assert(
    fc.property(text, valueBytes, (source, value) => {
      for (const dialect of ['rust', 'pcre'] as const) {
        const result = parsePattern(source, dialect);
        if (result.ok) equal(result.pattern.test(value), result.pattern.find(value) !== undefined);
        else {
          const { start, end, message, reason } = result.error;
          equal(start >= 0 && start <= end && end <= source.length, true, `${start} to ${end}`);
          equal(message.endsWith(reason), true);
        }
      }
    }),
    { numRuns: 700 },
  );
});

test('parsePattern takes steps that depth does not multiply', () => {
  for (const [open, close] of [
    ['(?:a+', 'b)+'],
    ['(', ')*'],
    ['(?:a|', '|b)?'],
    ['(?:x*', ')'],
  ]) {
    for (const dialect of ['rust', 'pcre'] as const) {
      const stepsFor = (depth: number): number =>
        countWork(() => equal(parsePattern(open!.repeat(depth) + close!.repeat(depth), dialect).ok, true));
      const [few, many] = [stepsFor(40), stepsFor(80)];
      // The bounds of a part depend on all parts inside it: they take the square of the depth, and never two to the
      // power of it.
      equal(many < 5 * few, true, `${open}…: ${few}, ${many} steps`);
    }
  }
});

test('parsePattern refuses Unicode classes in steps linear in their number', () => {
  const prepare = (count: number): (() => void) => {
    const classes = Array.from({ length: count }, (_, i) => `[\\w\\x{${(0x2190 + i).toString(16)}}]`);
    const source = `(?iu)${classes.join('')}`;
    return () => equal(parsePattern(source, 'rust').ok, false);
  };
  checkLinear('Unicode classes', prepare, [40, 160]);
});

test('parsePattern takes steps linear in the source', () => {
  const sources = [
    '(',
    '[',
    '[a',
    '(?:',
    'a|',
    'a?',
    '(a)',
    '[[:alpha:]]',
    '\\x41',
    'é',
    '(?i)',
    'a{2}',
    '(?<n>',
    '[a&&',
    'ab',
    'a*',
    '(?:a*|b)',
  ];
  for (const piece of sources) {
    for (const dialect of ['rust', 'pcre'] as const) {
      const prepare = (length: number): (() => unknown) => {
        const source = piece.repeat(Math.floor(length / piece.length));
        return () => parsePattern(source, dialect);
      };
      checkLinear(`${dialect} ${piece}`, prepare, [1_000, 8_000]);
    }
  }
});

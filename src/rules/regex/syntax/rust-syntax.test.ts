import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { parsePattern } from '../parse-pattern.ts';
import type { Pattern, PatternError } from '../types.ts';

function parsed(source: string): Pattern {
  const result = parsePattern(source, 'rust');
  if (!result.ok) throw new Error(result.error.message);
  return result.pattern;
}

function errorOf(source: string): PatternError {
  const result = parsePattern(source, 'rust');
  equal(result.ok, false, `${source} was accepted`);
  return (result as { error: PatternError }).error;
}

const bytesMatchedBy = (source: string): string => {
  const pattern = parsed(`^(?:${source})$`);
  let matched = '';
  for (let byte = 0; byte < 256; byte++) {
    if (pattern.test(String.fromCharCode(byte))) matched += String.fromCharCode(byte);
  }
  return matched;
};

const range = (first: number, last: number): string =>
  String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, i) => first + i));

test('parsePattern gives every Rust class its bytes, and no others', () => {
  const all = range(0, 255);
  const without = (bytes: string): string =>
    all
      .split('')
      .filter((byte) => !bytes.includes(byte))
      .join('');
  const table: Record<string, string> = {
    '.': without('\n'),
    '(?s).': all,
    '(?R).': without('\n\r'),
    '\\d': '0123456789',
    '\\D': without('0123456789'),
    '\\s': '\t\n\v\f\r ',
    '\\w': `${range(0x30, 0x39)}${range(0x41, 0x5a)}_${range(0x61, 0x7a)}`,
    '\\xff': '\xff',
    '[\\x80-\\xff]': range(0x80, 0xff),
    '[^a]': without('a'),
    '[^\\s\\S]': '',
    '(?i)k': 'Kk',
    '(?i)[^k]': without('Kk'),
    '(?i)\\xe9': '\xe9',
    '[[:alpha:]]': `${range(0x41, 0x5a)}${range(0x61, 0x7a)}`,
    '[[:^alpha:]]': without(`${range(0x41, 0x5a)}${range(0x61, 0x7a)}`),
    '[[:punct:]]': `${range(0x21, 0x2f)}${range(0x3a, 0x40)}${range(0x5b, 0x60)}${range(0x7b, 0x7e)}`,
    '[[:blank:]]': '\t ',
    '[[:alpho:]]': ':ahlop',
    '[a-y&&xyz]': 'xy',
    '[a-f--b-d]': 'aef',
    '[a-c~~b-d]': 'ad',
    '[a-z&&[^aeiou]--x]': 'bcdfghjklmnpqrstvwyz',
    '(?i)[A-C--b]': 'ACac',
    '[]a]': ']a',
    '[^]a]': without(']a'),
    '[--/]': '-/',
    '[a-]': '-a',
    '[a\\-z]': '-az',
    '[\\d\\-x]': '-0123456789x',
    '[.*+]': '*+.',
    '[\\]\\[]': '[]',
    '(?x)[ a b ]': 'ab',
    '(?x) a # a comment\n': 'a',
    '\\x41': 'A',
    '\\x{41}': 'A',
    '\\u0041': 'A',
    '\\U00000041': 'A',
    '\\.': '.',
    '\\/': '/',
    '\\%': '%',
    '\\-': '-',
    '}': '}',
    ']': ']',
    '\\a\\f{0}': '\x07',
    '\\v': '\v',
  };
  for (const [source, expected] of Object.entries(table)) {
    equal(bytesMatchedBy(source), expected.split('').toSorted().join(''), source);
  }
});

test('parsePattern takes what is beyond ASCII as its UTF-8 bytes', () => {
  equal(parsed('^é+$').test('\xc3\xa9\xc3\xa9'), true);
  equal(parsed('^é+$').test('\xc3\xa9\xa9'), false);
  equal(parsed('^.$').test('\xc3\xa9'), false);
  equal(parsed('(?i)^É$').test('\xc3\xa9'), false);
  equal(parsed('^\\u{e9}$').test('\xc3\xa9'), true);
  equal(parsed('^\\x{e9}$').test('\xc3\xa9'), true);
  equal(parsed('^\\xe9$').test('\xe9'), true);
  equal(parsed('^😀$').test('\xf0\x9f\x98\x80'), true);
});

test('parsePattern means characters where (?u) is on', () => {
  const matches = (source: string, text: string): boolean =>
    parsed(source).test(Buffer.from(text).toString('latin1'));
  equal(matches('(?u)^.$', 'é'), true);
  equal(matches('(?u)^..$', '😀\u{10ffff}'), true);
  equal(parsed('(?u)^.$').test('\xff'), false);
  equal(matches('(?u)^[é-ü]$', 'ö'), true);
  equal(matches('(?u)^[^é]$', 'é'), false);
  equal(matches('(?u)^\\pL+$', 'Straße'), true);
  equal(matches('(?u)^\\p{Greek}$', 'λ'), true);
  equal(matches('(?u)^\\p{script=greek}$', 'λ'), true);
  equal(matches('(?u)^\\PL$', 'λ'), false);
  equal(matches('(?u)^[\\p{Greek}&&\\p{Lu}]$', 'Λ'), true);
  equal(matches('(?u)^[\\p{Greek}--α]$', 'α'), false);
  equal(matches('(?u)^\\d$', '٣'), true);
  equal(matches('(?u)^\\w\\s\\w$', 'é\u00a0ü'), true);
  equal(matches('(?iu)^É$', 'é'), true);
  equal(matches('(?iu)^k$', '\u212a'), true);
  equal(matches('(?iu)^[ß]$', 'ẞ'), true);
  equal(matches('(?u)^\\xe9$', 'é'), true);
  equal(matches('(?u)\\bé\\b', 'a é b'), true);
  equal(matches('(?u)\\bb', 'éb'), false);
  equal(matches('\\bb', 'éb'), true);
  equal(matches('(?u)é\\B', 'éb'), true);
  equal(matches('(?u:é.)(?-u:.)$', 'éé\n'), false);
  equal(matches('^(?u:.)(?-u:.)(?-u:.)$', 'éé'), true);
});

test('parsePattern negates characters, and folds their case first, where (?u) is on', () => {
  const matches = (source: string, text: string): boolean =>
    parsed(`(?u)^${source}$`).test(Buffer.from(text).toString('latin1'));
  equal(matches('[[:^punct:]]', '😀'), true);
  equal(matches('[^_[:^punct:]]', '😀'), false);
  equal(matches('(?i)\\P{Lu}', 'a'), false);
  equal(matches('(?i)[\\P{Lu}]', 'a'), false);
  equal(matches('(?i)[[:^upper:]]', 'a'), false);
  equal(matches('\\p{gc!=Lu}', 'A'), false);
  equal(matches('\\P{gc!=Lu}', 'A'), true);
  equal(matches('\\p{Script Extensions:isGreek}', 'λ'), true);
});

test('parsePattern takes bytes that are no character for no side of (?u) boundaries', () => {
  equal(parsed('(?u)^\\b{end-half}').test('\xff'), false);
  equal(parsed('(?u)\\b{start-half}$').test('\xff'), false);
  equal(parsed('(?u)\\B').test('\xff'), false);
  equal(parsed('(?u)a\\b').test('a\xff'), true);
  equal(parsed('(?u)(?:\\b{start}a){2}').test('aa'), false);
});

test('parsePattern places assertions as the Rust regex crate does', () => {
  const positions = (source: string, value: string): number[] => {
    const found: number[] = [];
    for (let i = 0; i <= value.length; i++) {
      if (parsed(`(?s)\\A.{${i}}(?:${source})`).test(value)) found.push(i);
    }
    return found;
  };
  deepEqual(positions('$', 'a\n'), [2]);
  deepEqual(positions('(?m:$)', 'a\nb\n'), [1, 3, 4]);
  deepEqual(positions('(?m:^)', 'a\nb\n'), [0, 2, 4]);
  deepEqual(positions('(?mR:$)', 'a\r\nb\rc\n'), [1, 4, 6, 7]);
  deepEqual(positions('(?mR:^)', 'a\r\nb\rc\n'), [0, 3, 5, 7]);
  deepEqual(positions('\\b', 'ab \xe9c'), [0, 2, 4, 5]);
  deepEqual(positions('\\B', 'ab c'), [1]);
  deepEqual(positions('\\<', 'ab c'), [0, 3]);
  deepEqual(positions('\\b{start}', 'ab c'), [0, 3]);
  deepEqual(positions('\\>', 'ab c'), [2, 4]);
  deepEqual(positions('\\b{end}', 'ab c'), [2, 4]);
  deepEqual(positions('\\b{start-half}', ' a '), [0, 1, 3]);
  deepEqual(positions('\\b{end-half}', ' a '), [0, 2, 3]);
  deepEqual(positions('\\A', 'a\n'), [0]);
  deepEqual(positions('\\z', 'a\n'), [2]);
});

test('parsePattern keeps flags to their group', () => {
  equal(parsed('^a(?i)b(?-i)c$').test('aBc'), true);
  equal(parsed('^a(?i)b(?-i)c$').test('aBC'), false);
  equal(parsed('^(?:a(?i)b)c$').test('aBc'), true);
  equal(parsed('^(?:a(?i)b)c$').test('aBC'), false);
  equal(parsed('^(?i:a|b)c$').test('Bc'), true);
  equal(parsed('^(?:x(?i)|y)$').test('Y'), true);
  deepEqual(parsed('(?U)a+').find('aaa'), { start: 0, end: 1 });
  deepEqual(parsed('(?U)a+?').find('aaa'), { start: 0, end: 3 });
});

test('parsePattern reads repetitions, those of repetitions too', () => {
  equal(parsed('^a**$').test('aaa'), true);
  equal(parsed('^a++$').test('aaa'), true);
  equal(parsed('^a{ 2 , 3 }$').test('aaa'), true);
  equal(parsed('^a{2}{2}$').test('aaaa'), true);
  equal(parsed('^a{2}{2}$').test('aaa'), false);
  equal(parsed('^a{0}$').test(''), true);
  equal(parsed('^\\b{1,2}a').test('a'), true);
  equal(parsed('(?:^)*a').test('a'), true);
  equal(parsed('a||b').test(''), true);
  equal(parsed('()').test(''), true);
  equal(parsed('(?x)^a + ?$').test(''), true);
  deepEqual(parsed('(?x)a{1,} ?').find('aa'), { start: 0, end: 1 });
});

test('parsePattern counts and names groups', () => {
  const pattern = parsed('(?P<year>\\d+)-(?<month>\\d+)(-x)?(?:y)');
  equal(pattern.groupCount, 3);
  deepEqual(
    [...pattern.groupNames],
    [
      ['year', 1],
      ['month', 2],
    ],
  );
  deepEqual(pattern.match('on 2026-11y'), {
    start: 3,
    end: 11,
    groups: ['2026-11y', '2026', '11', undefined],
  });
});

test('parsePattern knows no group that is repeated no times, unless a later one can take part', () => {
  const last = parsed('(a)(?<b>b){0}');
  equal(last.groupCount, 1);
  deepEqual([...last.groupNames], []);
  deepEqual(last.match('ab')?.groups, ['a', 'a']);
  deepEqual(parsed('(a){0}(b)').match('ab')?.groups, ['b', undefined, 'b']);
});

test('parsePattern points at each mistake in the words of the Rust regex crate', () => {
  const table: Array<[source: string, start: number, end: number, reason: string]> = [
    ['\\pL', 0, 3, 'Unicode not allowed here'],
    ['a\\p{Greek}', 1, 10, 'Unicode not allowed here'],
    ['[é]', 1, 2, 'Unicode not allowed here'],
    ['[a-é]', 3, 4, 'Unicode not allowed here'],
    ['[\\pL]', 1, 4, 'Unicode not allowed here'],
    ['[\\u00e9]', 1, 7, 'Unicode not allowed here'],
    ['\\pL(', 3, 4, 'unclosed group'],
    ['(?u)\\p{Nope}', 4, 12, 'Unicode property not found'],
    ['(?u:a)\\pL', 6, 9, 'Unicode not allowed here'],
    ['(?u)\\p{gc=Nope}', 4, 15, 'Unicode property value not found'],
    ['(?u)\\p{^L}', 4, 10, 'Unicode property not found'],
    ['\\p\\d', 2, 3, 'invalid Unicode character class'],
    ['(?x)\\pL b', 4, 8, 'Unicode not allowed here'],
    ['(a', 0, 1, 'unclosed group'],
    ['(?', 0, 1, 'unclosed group'],
    ['a)', 1, 2, 'unopened group'],
    ['[a', 0, 1, 'unclosed character class'],
    ['[]', 0, 2, 'unclosed character class'],
    ['[^', 0, 2, 'unclosed character class'],
    ['[^-', 0, 0, 'unclosed character class'],
    ['a{,', 1, 3, 'unclosed counted repetition'],
    ['a{,1}', 2, 2, 'repetition quantifier expects a valid decimal'],
    ['a{3,2}?', 1, 7, 'invalid repetition count range, the start must be <= the end'],
    ['x[a[b]', 1, 2, 'unclosed character class'],
    ['[z-a]', 1, 4, 'invalid character class range, the start must be <= the end'],
    ['[\\d-z]', 1, 3, 'invalid range boundary, must be a literal'],
    ['[a-\\d]', 3, 5, 'invalid range boundary, must be a literal'],
    ['[\\b]', 1, 3, 'invalid escape sequence found in character class'],
    ['*', 0, 0, 'repetition operator missing expression'],
    ['a|+', 2, 2, 'repetition operator missing expression'],
    ['(?i)?', 4, 4, 'repetition operator missing expression'],
    ['(?)', 1, 1, 'repetition operator missing expression'],
    ['{', 0, 0, 'repetition operator missing expression'],
    ['a{', 1, 2, 'unclosed counted repetition'],
    ['a{1', 1, 3, 'unclosed counted repetition'],
    ['a{1,', 1, 4, 'unclosed counted repetition'],
    ['a{1x}', 1, 3, 'unclosed counted repetition'],
    ['a{,3}', 2, 2, 'repetition quantifier expects a valid decimal'],
    ['a{}', 2, 2, 'repetition quantifier expects a valid decimal'],
    ['a{3,2}', 1, 6, 'invalid repetition count range, the start must be <= the end'],
    ['a{99999999999}', 2, 13, 'decimal literal invalid'],
    ['\\', 0, 1, 'incomplete escape sequence, reached end of pattern prematurely'],
    ['\\x', 2, 2, 'incomplete escape sequence, reached end of pattern prematurely'],
    ['\\x{41', 2, 5, 'incomplete escape sequence, reached end of pattern prematurely'],
    ['\\x{}', 2, 4, 'hexadecimal literal empty'],
    ['\\xg0', 2, 3, 'invalid hexadecimal digit'],
    ['\\x{d800}', 3, 7, 'hexadecimal literal is not a Unicode scalar value'],
    ['\\Z', 0, 2, 'unrecognized escape sequence'],
    ['\\h', 0, 2, 'unrecognized escape sequence'],
    ['\\é', 0, 2, 'unrecognized escape sequence'],
    ['\\0', 0, 2, 'backreferences are not supported'],
    ['(a)\\1', 3, 5, 'backreferences are not supported'],
    ['(?=a)', 0, 3, 'look-around, including look-ahead and look-behind, is not supported'],
    ['(?<!a)', 0, 4, 'look-around, including look-ahead and look-behind, is not supported'],
    ['(?>a)', 2, 3, 'unrecognized flag'],
    ['(?#a)', 2, 3, 'unrecognized flag'],
    ['(?i', 3, 3, 'expected flag but got end of regex'],
    ['(?ii)', 3, 4, 'duplicate flag'],
    ['(?i-s-m)', 5, 6, 'flag negation operator repeated'],
    ['(?i-)', 3, 4, 'dangling flag negation operator'],
    ['(?<>a)', 3, 3, 'empty capture group name'],
    ['(?<1>a)', 3, 4, 'invalid capture group character'],
    ['(?<n', 4, 4, 'unclosed capture group name'],
    ['(?<n>a)(?<n>b)', 10, 11, 'duplicate capture group name'],
    [
      '\\b{foo}',
      3,
      6,
      'unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half',
    ],
    [
      '\\b{start',
      2,
      8,
      'special word boundary assertion is either unclosed or contains an invalid character',
    ],
  ];
  for (const [source, start, end, reason] of table) {
    const { message, ...rest } = errorOf(source);
    deepEqual(rest, { reason, start, end }, source);
    equal(message.startsWith(`regex parse error:\n    ${source}\n`), true, source);
  }
});

test('parsePattern draws the source with carets below', () => {
  equal(errorOf('\\pL').message, 'regex parse error:\n    \\pL\n    ^^^\nerror: Unicode not allowed here');
  equal(errorOf('é😀(').message, 'regex parse error:\n    é😀(\n      ^\nerror: unclosed group');
  equal(errorOf('(?ii)').message, 'regex parse error:\n    (?ii)\n      ^^\nerror: duplicate flag');
  const divider = '~'.repeat(79);
  equal(
    errorOf('a\n(b').message,
    `regex parse error:\n${divider}\n1: a\n2: (b\n   ^\n${divider}\nerror: unclosed group`,
  );
  equal(
    errorOf('a{1\n').message,
    `regex parse error:\n${divider}\n1: a{1\n${divider}\n` +
      'on line 1 (column 2) through line 2 (column 0)\nerror: unclosed counted repetition',
  );
  equal(
    errorOf('(\r\n)(').message,
    `regex parse error:\n${divider}\n1: (\n2: )(\n    ^\n${divider}\nerror: unclosed group`,
  );
});

test('parsePattern refuses what is too deep, too long or too large', () => {
  const tooDeep = 'exceed the maximum number of nested parentheses/brackets (250)';
  const tooLarge = 'Compiled regex exceeds size limit of 10485760 bytes.';
  equal(errorOf('('.repeat(300)).reason, tooDeep);
  equal(errorOf('['.repeat(300)).reason, tooDeep);
  equal(errorOf(`a${'*'.repeat(300)}`).reason, tooDeep);
  equal(errorOf(`${'(?:'.repeat(200)}a${'*'.repeat(100)}${')'.repeat(200)}`).reason, tooDeep);
  equal(parsed(`${'('.repeat(250)}a${')'.repeat(250)}`).test('a'), true);
  equal(errorOf(`b${'('.repeat(250)}a${')'.repeat(250)}`).reason, tooDeep);
  equal(errorOf('((a{100}){100}){100}').message, tooLarge);
  equal(errorOf('a{4294967295}').message, tooLarge);
  equal(errorOf('(){4294967295}').message, tooLarge);
  equal(errorOf('a'.repeat(70_000)).reason, 'pattern is longer than 65536 characters');
});

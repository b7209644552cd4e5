import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { parsePattern } from '../parse-pattern.ts';
import type { ParseOptions, Pattern, PatternError } from '../types.ts';

function parsed(source: string, options?: ParseOptions): Pattern {
  const result = parsePattern(source, 'pcre', options);
  if (!result.ok) throw new Error(result.error.message);
  return result.pattern;
}

function errorOf(source: string): PatternError {
  const result = parsePattern(source, 'pcre');
  equal(result.ok, false, `${source} was accepted`);
  return (result as { error: PatternError }).error;
}

function bytesMatchedBy(source: string): string {
  const pattern = parsed(`^(?:${source})$`);
  let matched = '';
  for (let byte = 0; byte < 256; byte++) {
    if (pattern.test(String.fromCharCode(byte))) matched += String.fromCharCode(byte);
  }
  return matched;
}

test('parsePattern gives every PCRE class and escape its bytes', () => {
  const table: Record<string, string> = {
    '\\h': '\t \xa0',
    '\\v': '\n\v\f\r\x85',
    '\\s': '\t\n\v\f\r ',
    '[\\b]': '\b',
    '[]a]': ']a',
    '[a-]': '-a',
    '[\\w\\-]{0}x': 'x',
    '[[:xdigit:]]{0}[[:upper:]]': 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    '(?i)[[:upper:]]{0}[k]': 'Kk',
    '\\x{bc}': '\xbc',
    '\\xbc': '\xbc',
    '\\x': '\0',
    '\\101': 'A',
    '\\0': '\0',
    '\\cA': '\x01',
    '\\e': '\x1b',
    '\\Q.\\E': '.',
    '(?#not this)a': 'a',
    '(?x) a # nor this\n': 'a',
    '{': '{',
    '\\/': '/',
    '\\"': '"',
    '[\\101-C]': 'ABC',
    '[\\Q^]\\E]': ']^',
  };
  for (const [source, expected] of Object.entries(table)) {
    equal(bytesMatchedBy(source), expected.split('').toSorted().join(''), source);
  }
});

test('parsePattern takes options as flags in front of a PCRE pattern', () => {
  equal(parsed('^a.b$', { dotAll: true }).test('a\nb'), true);
  equal(parsed('^a.b$').test('a\nb'), false);
  equal(parsed('^b', { multiLine: true }).test('a\nb'), true);
  equal(parsed('SELECT', { ignoreCase: true }).test('select'), true);
  equal(parsed('(?-i)SELECT', { ignoreCase: true }).test('select'), false);
});

test('parsePattern places PCRE anchors: $ at the very end, \\Z before a last line feed too', () => {
  equal(parsed('a$').test('a\n'), false);
  equal(parsed('a\\Z').test('a\n'), true);
  equal(parsed('a\\Z').test('a\n\n'), false);
  equal(parsed('a\\z').test('a\n'), false);
  equal(parsed('(?m)a$').test('a\nb'), true);
  // A line feed at the very end does not start a line.
  deepEqual(parsed('(?m)^$').find('a\n'), undefined);
  deepEqual(parsed('(?m)^b').find('a\nb'), { start: 2, end: 3 });
});

test('parsePattern looks around from bytes it does not take', () => {
  equal(parsed('(?<!\\\\)"').test('\\"'), false);
  equal(parsed('(?<!\\\\)"').test('x"'), true);
  equal(parsed('foo(?!bar)').test('foobar'), false);
  equal(parsed('foo(?!bar)').test('foobaz'), true);
  equal(parsed('(?<=ab|c)d').test('abd'), true);
  equal(parsed('(?<=ab|c)d').test('bd'), false);
  equal(parsed('^(?=.*\\d)(?=.*[a-z])\\w+$').test('abc1'), true);
  equal(parsed('^(?=.*\\d)(?=.*[a-z])\\w+$').test('abc'), false);
  equal(parsed('^(?!(?=a)ab)a').test('ac'), true);
  equal(parsed('^(?!(?=a)ab)a').test('ab'), false);
  const long = 'x'.repeat(200_000);
  equal(parsed('foo(?!bar)').test(`${long}foobar`), false);
  deepEqual(parsed('(?<=x)foo(?!bar)').find(`${long}foobaz`), { start: 200_000, end: 200_003 });
});

test('parsePattern gives nothing back from possessive and atomic parts', () => {
  equal(parsed('^a*+a').test('aaa'), false);
  equal(parsed('^[ab]++b').test('abab'), false);
  equal(parsed('^a?+a').test('a'), false);
  equal(parsed('^a{1,2}+a').test('aaa'), true);
  equal(parsed('^a{1,2}+a').test('aa'), false);
  equal(parsed('^(?>a|ab)c').test('abc'), false);
  equal(parsed('^(?>ab|a)c').test('abc'), true);
  equal(parsed('^(?:ab)*+ab').test('abab'), false);
  equal(parsed('^\\R\\n').test('\r\n'), false);
});

test('parsePattern refers back to groups, by number and by name', () => {
  equal(parsed('^(a|b)\\1$').test('bb'), true);
  equal(parsed('^(a|b)\\1$').test('ab'), false);
  equal(parsed('(?i)^(a)\\1$').test('aA'), true);
  equal(parsed('^(?<q>[\'"]).*\\k<q>$').test('"x"'), true);
  equal(parsed('^(?<q>[\'"]).*(?P=q)$').test('"x\''), false);
  equal(parsed('^(a)(b)\\g{-1}$').test('abb'), true);
  // A reference to a group that did not participate matches nowhere; inside the group it means its last round.
  equal(parsed('^(?:(a)|b)\\1').test('b'), false);
  equal(parsed('^(?:(a|b\\1))+$').test('aba'), true);
  equal(parsed('(\\w+)=(?!\\1)(\\w+)').test('1=1'), false);
  equal(parsed('(\\w+)=(?!\\1)(\\w+)').test('1=2'), true);
  deepEqual(parsed('(\\w)(\\w)\\2\\1').match('xabbay')?.groups, ['abba', 'a', 'b']);
});

test('parsePattern points at mistakes in a PCRE pattern', () => {
  const table: Array<[source: string, start: number, end: number, reason: string]> = [
    ['(a', 0, 1, 'missing closing parenthesis'],
    ['a)', 1, 2, 'unmatched closing parenthesis'],
    ['[a', 0, 1, 'missing terminating ] for character class'],
    ['[z-a]', 1, 4, 'range out of order in character class'],
    ['[\\w-z]', 1, 5, 'invalid range in character class'],
    ['[[:foo:]]', 1, 8, 'unknown POSIX class name'],
    ['*a', 0, 1, 'quantifier does not follow a repeatable item'],
    ['a{3,2}', 1, 6, 'numbers out of order in {} quantifier'],
    ['a{99999}', 1, 8, 'number too big in {} quantifier'],
    ['\\', 0, 1, '\\ at end of pattern'],
    ['\\j', 0, 2, 'unrecognized character follows \\'],
    ['\\p{L}', 0, 2, 'unrecognized character follows \\'],
    ['\\x{100}', 0, 7, 'character code point value in \\x{} or \\o{} is too large'],
    ['(?<=a+)b', 0, 7, 'lookbehind assertion is not fixed length'],
    ['(a)\\2', 3, 4, 'reference to non-existent subpattern'],
    ['\\k<n>', 0, 1, 'reference to non-existent subpattern'],
    ['(?<n>a)(?<n>b)', 7, 12, 'two named subpatterns have the same name'],
    ['(?R)', 0, 3, 'unrecognized character after (? or (?-'],
    ['(*ACCEPT)', 0, 3, 'unrecognized character after (? or (?-'],
    ['(?#', 0, 1, 'missing ) after (?# comment'],
    ['('.repeat(300), 250, 251, 'parentheses are too deeply nested'],
  ];
  for (const [source, start, end, reason] of table) {
    const { message, ...rest } = errorOf(source);
    deepEqual(rest, { reason, start, end }, source);
    equal(message.endsWith(`error: ${reason}`), true, source);
  }
  equal(errorOf('(?=a)'.repeat(7)).reason, 'pattern has more than 6 look-arounds');
  equal(
    errorOf('(?<=(?>ab|cd))e').reason,
    'look-behind with a back-reference or an atomic group cannot be run in bounded time',
  );
});

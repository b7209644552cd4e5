import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseValue } from '../parse/parse.ts';
import { parseIp } from '#addresses';
import type { Value } from '../values.ts';
import { compileValue } from './compile/compile.ts';
import { interpret, interpretValue } from './interpret.ts';
import type { RunOptions } from './options.ts';
import { parseFilter, createRequestWith } from './testing.ts';

const isTrue = (
  source: string,
  facts: Readonly<Record<string, Value>> = {},
  options: RunOptions = {},
): boolean => interpret(parseFilter(source), options)(createRequestWith(facts));

const names = (...list: string[]): Readonly<Record<string, Value>> => ({
  'http.request.headers.names': list,
});
const x0 = 'http.request.headers["x"][0]';
const xEach = 'http.request.headers["x"][*]';

test('interpret evaluates xor as parity', () => {
  assert.equal(isTrue('ssl xor ssl xor ssl', { ssl: true }), true);
  assert.equal(isTrue('ssl xor ssl', { ssl: true }), false);
});

test('interpret evaluates every comparison with nil as false, ne depending on the option', () => {
  for (const condition of [
    'eq ""',
    'ne "a"',
    'contains ""',
    'matches ""',
    'wildcard "*"',
    'in {""}',
    'lt "z"',
  ]) {
    assert.equal(isTrue(`${x0} ${condition}`), false, condition);
  }
  assert.equal(isTrue(`${x0} ne "a"`, {}, { nilNotEqual: true }), true);
  assert.equal(isTrue(`not ${x0} eq "a"`), true);
  assert.equal(isTrue('len(http.request.headers["x"]) ge 0'), false);
});

test('interpret finds no element in nil, so any is false and all is true', () => {
  assert.equal(isTrue(`any(${xEach} ne "a")`), false);
  assert.equal(isTrue(`all(${xEach} eq "a")`), true);
});

test('interpret evaluates any and all of a nil list as false, unless it is in parentheses', () => {
  assert.equal(isTrue('all(test.flagmap["none"])'), false);
  assert.equal(isTrue('any(test.flagmap["none"])'), false);
  assert.equal(isTrue('all((test.flagmap["none"]))'), true);
});

test('interpret combines lists position by position up to the shorter', () => {
  const facts = { 'http.request.headers.names': ['a', 'b'], 'http.request.headers.values': ['1'] };
  const both = 'http.request.headers.names[*] eq "a" and http.request.headers.values[*] eq "1"';
  assert.equal(isTrue(`all((${both}))`, facts), true);
  assert.equal(isTrue(`any(not http.request.headers.names[*] eq "a")`, facts), true);
});

test('interpret leaves out elements that a later index does not find', () => {
  const facts = { 'http.request.body.multipart.names': [['a'], ['a', 'b']] };
  assert.equal(isTrue('all(http.request.body.multipart.names[*][1] eq "b")', facts), true);
});

test('interpret visits a map in byte order of its keys', () => {
  const facts = { 'http.request.headers': new Map([['b', ['2']], ['a', ['1']], ['c', ['3']]]), ...names('1', '2', '3') }; // prettier-ignore
  const zipped = (one: string, other: string): string => `all((http.request.headers[*][0] eq "${one}" xor http.request.headers.names[*] ne "${other}"))`; // prettier-ignore
  for (const each of ['1', '2', '3']) assert.equal(isTrue(zipped(each, each), facts), true);
});

test('interpret drops elements for which a mapped function has no result', () => {
  assert.equal(isTrue('len(decode_base64(http.request.headers.names[*])) eq 1', names('YQ', '!')), true);
});

test('interpret compares addresses within a family only', () => {
  const at = (text: string): Readonly<Record<string, Value>> => ({ 'ip.src': parseIp(text)! });
  assert.equal(isTrue('ip.src ne ::1', at('127.0.0.1')), true);
  assert.equal(isTrue('ip.src lt ::1', at('0.0.0.0')), false);
  assert.equal(isTrue('ip.src in {0.0.0.0/0}', at('2001:db8::1')), false);
  assert.equal(isTrue('ip.src ge 10.0.0.1', at('10.0.0.1')), true);
});

test('interpret compares bytes without locale, and 64 bits with &', () => {
  assert.equal(isTrue('http.host lt "a"', { 'http.host': 'Z' }), true);
  assert.equal(isTrue('cf.threat_score & 0x100000000', { 'cf.threat_score': 2 ** 32 }), true);
  assert.equal(isTrue('cf.threat_score & 0x200000000', { 'cf.threat_score': 2 ** 32 }), false);
});

test('interpret looks lists up by name; a missing list has no items', () => {
  const options = { lists: new Map([['hosts', new Set<Value>(['a'])]]) };
  assert.equal(isTrue('http.host in $hosts', { 'http.host': 'a' }, options), true);
  assert.equal(isTrue('http.host in $hosts', { 'http.host': 'b' }, options), false);
  assert.equal(isTrue('http.host in $others', { 'http.host': 'a' }, options), false);
});

test('interpretValue and compileValue return values, and nil as undefined', () => {
  const cases: [string, Value | undefined][] = [
    ['concat("/", http.request.headers["none"][0], http.host)', '/h'],
    ['http.request.headers["none"][0]', undefined],
    ['lower(http.request.headers.names[*])', ['a', 'b']],
    ['len(http.host)', 1],
    ['any(http.request.headers.names[*] eq "A")', true],
  ];
  const request = createRequestWith({ 'http.host': 'h', ...names('A', 'B') });
  for (const [source, expected] of cases) {
    const parsed = parseValue(source);
    assert.ok(parsed.ok, source);
    assert.deepEqual(interpretValue(parsed.tree)(request), expected, source);
    assert.deepEqual(compileValue(parsed.tree)(request), expected, source);
  }
});

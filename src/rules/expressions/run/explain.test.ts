import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../values.ts';
import { explain, type Explanation, isMatch } from './explain.ts';
import { parseFilter, createRequestWith } from './testing.ts';

const explained = (source: string, facts: Readonly<Record<string, Value>>): Explanation =>
  explain(parseFilter(source), createRequestWith(facts));

/** One line per node: its text, its result, and the value it read. */
function linesOf({ text, outcome, parts }: Explanation): unknown[] {
  const line =
    outcome.state === 'reached' ? [text, outcome.result, ...seenIn(outcome)] : [text, outcome.state];
  return [line, ...parts.flatMap(linesOf)];
}

function seenIn({ seen }: Extract<Explanation['outcome'], { state: 'reached' }>): unknown[] {
  return seen === undefined ? [] : [seen.field, seen.value, seen.matches];
}

test('explain shows each leaf with its value, and what was not reached', () => {
  const source = 'http.host eq "a" and (ssl or http.user_agent contains "bot" or http.referer eq "x")';
  assert.deepEqual(linesOf(explained(source, { 'http.host': 'a', 'http.user_agent': 'Googlebot' })), [
    [source, true],
    ['http.host eq "a"', true, 'http.host', 'a', [{ bytes: { start: 0, end: 1 } }]],
    [source.slice(22, -1), true],
    ['ssl', false, 'ssl', false, []],
    [
      'http.user_agent contains "bot"',
      true,
      'http.user_agent',
      'Googlebot',
      [{ bytes: { start: 6, end: 9 } }],
    ],
    ['http.referer eq "x"', 'not reached'],
  ]);
});

test('explain reads no field of a part that is not reached', () => {
  const explanation = explained('ssl and any(http.request.headers.names[*] eq "a")', {});
  assert.equal(isMatch(explanation), false);
  assert.deepEqual(linesOf(explanation).slice(2), [
    ['any(http.request.headers.names[*] eq "a")', 'not reached'],
    ['http.request.headers.names[*] eq "a"', 'not reached'],
  ]);
});

test('explain shows which elements matched, and where', () => {
  const source = 'any(lower(http.request.headers.names[*])[*] matches "b+")';
  const explanation = explained(source, { 'http.request.headers.names': ['a', 'aBBc', 'b'] });
  assert.deepEqual(linesOf(explanation).at(-1), [
    'lower(http.request.headers.names[*])[*] matches "b+"',
    [false, true, true],
    'http.request.headers.names',
    ['a', 'abbc', 'b'],
    [
      { element: 1, bytes: { start: 1, end: 3 } },
      { element: 2, bytes: { start: 0, end: 1 } },
    ],
  ]);
});

test('explain shows where starts_with and ends_with found their text', () => {
  const match = (source: string): unknown => linesOf(explained(source, { 'http.host': 'abcab' }))[0];
  assert.deepEqual((match('starts_with(http.host, "ab")') as unknown[]).at(-1), [
    { bytes: { start: 0, end: 2 } },
  ]);
  assert.deepEqual((match('ends_with(http.host, "ab")') as unknown[]).at(-1), [
    { bytes: { start: 3, end: 5 } },
  ]);
});

test('explain shows nil as no value', () => {
  const [line] = linesOf(explained('http.request.headers["x"][0] eq "a"', {}));
  assert.deepEqual(line, [
    'http.request.headers["x"][0] eq "a"',
    false,
    'http.request.headers',
    undefined,
    [],
  ]);
  assert.deepEqual(linesOf(explained('all(test.flagmap["x"])', {})).at(-1), [
    'test.flagmap["x"]',
    undefined,
    'test.flagmap',
    undefined,
    [],
  ]);
});

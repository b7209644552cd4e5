import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { filterOf, requestWith } from '../testing.ts';
import { clausesOf } from './clauses.ts';
import { compileList } from './compile.ts';

const clauseCount = (source: string): number => clausesOf(filterOf(source).root).length;

test('clausesOf splits alternatives that cost something, however they are grouped', () => {
  equal(clauseCount('http.host matches "a+" or http.cookie matches "a+"'), 2);
  equal(
    clauseCount('(http.host matches "a+" or http.cookie matches "a+") or (ssl or http.referer matches "b")'),
    4,
  );
});

test('clausesOf leaves alone what is cheap, and what is no alternative', () => {
  equal(clauseCount('http.host eq "a" or http.host eq "b"'), 1);
  equal(clauseCount('http.host matches "a+" and (ssl or http.cookie matches "a+")'), 1);
});

test('CompiledList tells once of a rule several of whose clauses match, and keeps the order of rules', () => {
  const list = compileList([
    filterOf('http.user_agent matches "x+y" or http.host matches "b+c" or http.cookie matches "b+c"'),
    filterOf('ssl or http.host matches "b+c"'),
    filterOf('http.cookie matches "b+c" or http.referer matches "b+c"'),
  ]);
  equal(list.ruleCount, 3);
  const request = requestWith({ 'http.host': 'abbc', 'http.cookie': 'bc', ssl: true });
  deepEqual(list.matches(request), [0, 1, 2]);
  deepEqual(list.matches(requestWith({ 'http.referer': 'bbc' })), [2]);
  equal(list.first(request), 0);
});

test('CompiledList runs a pattern only on the place where what it needs stands', () => {
  const asked: string[] = [];
  const lists = new Map(
    ['hosts', 'cookies'].map((name) => [name, { has: () => (asked.push(name), false) }] as const),
  );
  const list = compileList(
    [
      filterOf(
        '(http.host contains "needle" and lower(http.host) in $hosts) or (http.cookie contains "needle" and lower(http.cookie) in $cookies)',
      ),
      filterOf('http.host contains "other" and ssl'),
      filterOf('http.cookie contains "other" and ssl'),
    ],
    { lists },
  );
  deepEqual(list.matches(requestWith({ 'http.host': 'hay', 'http.cookie': 'a needle' })), []);
  deepEqual(asked, ['cookies']);
});

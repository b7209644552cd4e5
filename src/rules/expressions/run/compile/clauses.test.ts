import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { parseFilter, createRequestWith } from '../testing.ts';
import { splitIntoClauses } from './clauses.ts';
import { compileList } from './compile.ts';

const clauseCount = (source: string): number => splitIntoClauses(parseFilter(source).root).length;

test('splitIntoClauses splits costly alternatives, however they are grouped', () => {
  equal(clauseCount('http.host matches "a+" or http.cookie matches "a+"'), 2);
  equal(
    clauseCount('(http.host matches "a+" or http.cookie matches "a+") or (ssl or http.referer matches "b")'),
    4,
  );
});

test('splitIntoClauses does not split cheap expressions or those without alternatives', () => {
  equal(clauseCount('http.host eq "a" or http.host eq "b"'), 1);
  equal(clauseCount('http.host matches "a+" and (ssl or http.cookie matches "a+")'), 1);
});

test('CompiledList reports a rule once if several of its clauses match, and keeps the order of rules', () => {
  const list = compileList([
    parseFilter('http.user_agent matches "x+y" or http.host matches "b+c" or http.cookie matches "b+c"'),
    parseFilter('ssl or http.host matches "b+c"'),
    parseFilter('http.cookie matches "b+c" or http.referer matches "b+c"'),
  ]);
  equal(list.ruleCount, 3);
  const request = createRequestWith({ 'http.host': 'abbc', 'http.cookie': 'bc', ssl: true });
  deepEqual(list.matches(request), [0, 1, 2]);
  deepEqual(list.matches(createRequestWith({ 'http.referer': 'bbc' })), [2]);
  equal(list.findFirst(request), 0);
});

test('CompiledList runs a pattern only on the fields that contain its required literal', () => {
  const asked: string[] = [];
  const lists = new Map(
    ['hosts', 'cookies'].map((name) => [name, { has: () => (asked.push(name), false) }] as const),
  );
  const list = compileList(
    [
      parseFilter(
        '(http.host contains "needle" and lower(http.host) in $hosts) or (http.cookie contains "needle" and lower(http.cookie) in $cookies)',
      ),
      parseFilter('http.host contains "other" and ssl'),
      parseFilter('http.cookie contains "other" and ssl'),
    ],
    { lists },
  );
  deepEqual(list.matches(createRequestWith({ 'http.host': 'hay', 'http.cookie': 'a needle' })), []);
  deepEqual(asked, ['cookies']);
});

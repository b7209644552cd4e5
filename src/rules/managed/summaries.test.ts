import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { countWork } from '../../../tools/count-work.ts';
import { requestFrom } from '#request';
import { ManagedPrograms, type StoredSummaries } from '#firewall';
import { managedRulesets } from './catalogue.ts';
import { legacyPackages } from './legacy/packages.ts';
import type { Cases } from './testing.ts';

const file = new URL('summaries.json', import.meta.url);
const summaries = JSON.parse(readFileSync(file, 'utf8')) as StoredSummaries;
const lists = [...managedRulesets.values(), ...legacyPackages].map(({ rules }) =>
  rules.flatMap(({ id, expression }) => (expression === undefined ? [] : [{ id, expression }])),
);

// Comes first: patterns that another test has compiled would not be compiled again.
test('ManagedPrograms loads all rules for a fraction of what compiling them takes, the first request included', () => {
  const request = requestFrom({
    url: 'https://example.com/search?q=shoes&page=2',
    headers: { 'user-agent': 'Mozilla/5.0', cookie: 'session=1', accept: 'text/html' },
    body: 'name=Jane&comment=hello',
  });
  const run = (given: StoredSummaries | undefined): number =>
    countWork(() => {
      const programs = new ManagedPrograms(given);
      for (const rules of lists) programs.get(rules).list.matches(request);
    });
  const [loading, compiling] = [run(summaries), run(undefined)];
  ok(loading < compiling / 4, `${loading} steps, ${compiling} without summaries`);
});

test('ManagedPrograms finds the same with summaries and without', async () => {
  const folder = new URL('signatures/testdata/', import.meta.url);
  const requests = [];
  for (const file of readdirSync(folder)) {
    const cases = (await import(new URL(file, folder).href)) as Record<string, Record<string, Cases>>;
    for (const { hits, misses } of Object.values(cases).flatMap((each) => Object.values(each)))
      requests.push(...hits, ...misses);
  }
  ok(requests.length > 500);
  const [loaded, compiled] = [new ManagedPrograms(summaries), new ManagedPrograms()];
  for (const rules of lists) {
    const [a, b] = [loaded.get(rules), compiled.get(rules)];
    for (const request of requests) {
      deepEqual(a.list.matches(requestFrom(request)), b.list.matches(requestFrom(request)));
    }
    deepEqual([...a.bodyReaders], [...b.bodyReaders]);
    equal(a.list.ruleCount, b.list.ruleCount);
    for (const position of rules.keys()) deepEqual(a.getFilter(position), b.getFilter(position));
  }
});

test('ManagedPrograms compiles rules that no summary was made of', () => {
  const rules = [{ id: 'mine', expression: 'http.host eq "example.com"' }];
  const { list } = new ManagedPrograms(summaries).get(rules);
  deepEqual(list.matches(requestFrom({ headers: { host: 'example.com' } })), [0]);
});

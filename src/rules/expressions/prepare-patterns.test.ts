import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { runAtOnce, WorkTurns } from '#work';
import { parsePattern } from '#regex';
import { preparePatterns } from './prepare-patterns.ts';

const large = (index: number): string => `(?:[a-f]{1,40}x?){1,20}${index}`;

const given = (count: number): { name: string; text: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `/rules/${index}/expression`,
    text: `http.host eq "a" or http.user_agent matches r"${large(index)}"`,
  }));

test('preparePatterns lets others have their turn between any two large patterns', async () => {
  const turns = new WorkTurns();
  const prepared = await turns.run(preparePatterns(given(8)));
  ok(prepared.ok);
  equal(prepared.patterns.length, 8);
  equal(turns.counts.turns, 9);
  const again = parsePattern(large(3));
  ok(again.ok && prepared.patterns.includes(again.pattern));
});

test('preparePatterns ends when all patterns together cost too much, and names the costliest', () => {
  const first = parsePattern(large(0));
  ok(first.ok);
  const stepsMax = 4.5 * first.pattern.compileSteps;
  const prepared = runAtOnce(
    preparePatterns([{ name: '/rules/small', text: 'http.host matches "^a+$"' }, ...given(8)], { stepsMax }),
  );
  ok(!prepared.ok);
  deepEqual(
    prepared.costliest.map(({ name }) => name),
    ['/rules/0/expression', '/rules/1/expression', '/rules/2/expression'],
  );
});

test('preparePatterns takes expressions that cannot be read as far as they can be', () => {
  const prepared = runAtOnce(
    preparePatterns([
      { name: 'a', text: 'http.host matches "^b+$" and no.such.field eq 1' },
      { name: 'b', text: 'http.host matches "(" or http.host matches "c$"' },
    ]),
  );
  ok(prepared.ok);
  deepEqual(
    prepared.patterns.map(({ source }) => source),
    ['^b+$', 'c$'],
  );
});

/** The lists of the benchmark (`bench/rules`), small: the measured code also gives correct results. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile, compileList, type Filter, interpret, parse, createRequest } from '#expressions';
import { singles } from '../../../bench/rules/singles.ts';
import { type Facts, matchingRequests, mixedRules, plainRequests } from '../../../bench/rules/workload.ts';

function filterOf(source: string): Filter {
  const parsed = parse(source);
  assert.ok(parsed.ok, source);
  return parsed.tree;
}

const viewOf = (facts: Facts): ReturnType<typeof createRequest> =>
  createRequest(new Map(Object.entries(facts)));

test('compileList agrees with the interpreter on the lists of the benchmark', () => {
  const rules = mixedRules(300, 11);
  const filters = rules.map(filterOf);
  const list = compileList(filters);
  const oracle = filters.map((filter) => interpret(filter));
  let matched = 0;
  for (const facts of [...plainRequests(10, 11), ...matchingRequests(40, 11, rules)]) {
    const expected = [...oracle.keys()].filter((rule) => oracle[rule]!(viewOf(facts)));
    assert.deepEqual(list.matches(viewOf(facts)), expected);
    matched += expected.length;
  }
  assert.ok(matched > 0);
});

test('compile agrees with the interpreter on the single expressions of the benchmark', () => {
  for (const { name, source, hit } of singles) {
    const filter = filterOf(source);
    for (const [facts, expected] of [
      [plainRequests(1, 11)[0]!, false],
      [hit, true],
    ] as const) {
      assert.equal(interpret(filter)(viewOf(facts)), expected, name);
      assert.equal(compile(filter)(viewOf(facts)), expected, name);
    }
  }
});

/**
 * Compiled lists, compiled expressions and explanations agree with the interpreter, on random rules and requests:
 * thousands of pairs in every run of the tests, any number on demand:
 *
 *     RULE_PAIRS=200000 node --test test/rules/properties/running.test.ts
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compile,
  compileList,
  explain,
  type Filter,
  interpret,
  isMatch,
  parse,
  createRequest,
  RequestView,
  type Value,
} from '#expressions';
import { expression } from './expressions.ts';
import { knownFields, runOptions, testScheme } from './requests.ts';

const rulesMax = 12;
const requestsPerRun = 5;
const pairs = Number(process.env['RULE_PAIRS'] ?? 6_000);
/** Lists have half the largest number of rules on average. */
const parameters = { numRuns: Math.ceil(pairs / (requestsPerRun * (rulesMax / 2))) };

function filterOf(source: string): Filter {
  const parsed = parse(source, { scheme: testScheme });
  assert.ok(parsed.ok, `${source}\n${parsed.ok ? '' : parsed.error.message}`);
  return parsed.tree;
}

const rules = fc.array(expression, { minLength: 1, maxLength: rulesMax });
const requests = fc.array(knownFields, { minLength: requestsPerRun, maxLength: requestsPerRun });
const nilNotEqual = fc.boolean();

test('compileList finds the rules that the interpreter finds, in order', () => {
  let matched = 0;
  let asked = 0;
  fc.assert(
    fc.property(rules, requests, nilNotEqual, (sources, facts, isNilUnequal) => {
      const options = { ...runOptions, nilNotEqual: isNilUnequal };
      const filters = sources.map(filterOf);
      const oracle = filters.map((filter) => interpret(filter, options));
      const list = compileList(filters, options);
      for (const known of facts) {
        const expected = [...oracle.keys()].filter((rule) => oracle[rule]!(createRequest(known)));
        assert.deepEqual(list.matches(createRequest(known)), expected);
        assert.equal(list.findFirst(createRequest(known)), expected[0] ?? -1);
        matched += expected.length;
        asked += filters.length;
      }
    }),
    parameters,
  );
  // Rules that always or never match would prove nothing.
  assert.ok(matched > asked / 5 && matched < (asked * 4) / 5, `${matched} of ${asked} matched`);
});

test('compile and explain agree with the interpreter', () => {
  fc.assert(
    fc.property(expression, requests, nilNotEqual, (source, facts, isNilUnequal) => {
      const options = { ...runOptions, nilNotEqual: isNilUnequal };
      const filter = filterOf(source);
      const oracle = interpret(filter, options);
      const compiled = compile(filter, options);
      for (const known of facts) {
        const expected = oracle(createRequest(known));
        assert.equal(compiled(createRequest(known)), expected);
        assert.equal(isMatch(explain(filter, createRequest(known), options)), expected);
      }
    }),
    { numRuns: Math.ceil(pairs / requestsPerRun / 2) },
  );
});

test('compileList reads each field at most once, and with first none beyond the rule that matches', () => {
  fc.assert(
    fc.property(rules, knownFields, (sources, known) => {
      const filters = sources.map(filterOf);
      const list = compileList(filters, runOptions);
      const read: string[] = [];
      const source = { read: (key: string): Value | undefined => (read.push(key), known.get(key)) };
      list.matches(new RequestView(source));
      assert.equal(new Set(read).size, read.length);
      read.length = 0;
      const first = list.findFirst(new RequestView(source));
      const needed = new Set(filters.slice(0, first === -1 ? undefined : first + 1).flatMap(keysIn));
      for (const key of read) assert.ok(needed.has(key), `${key} was read for nothing`);
    }),
    { numRuns: 300 },
  );
});

/** Keys of all fields in a tree, by the shape of its nodes. */
function keysIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('kind' in node && node.kind === 'field')
    return [(node as unknown as { field: { key: string } }).field.key];
  return Object.values(node).flatMap(keysIn);
}

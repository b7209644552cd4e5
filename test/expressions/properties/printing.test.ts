import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Filter, format, parse, toJson } from '#expressions';
import { expression } from './expressions.ts';
import { testScheme } from './requests.ts';

function treeOf(source: string): Filter {
  const parsed = parse(source, { scheme: testScheme });
  assert.ok(parsed.ok, source);
  return parsed.tree;
}

test('format prints what parses to the same tree, and prints that the same again', () => {
  fc.assert(
    fc.property(expression, (source) => {
      const tree = treeOf(source);
      const printed = format(tree);
      assert.deepEqual(toJson(treeOf(printed)), toJson(tree));
      assert.equal(format(treeOf(printed)), printed);
    }),
    { numRuns: 1_000 },
  );
});

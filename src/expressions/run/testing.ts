/** What the tests of this folder share. */
import { assert } from '#base';
import type { Filter } from '../ast.ts';
import { scheme } from '../full-scheme.ts';
import { parse } from '../parse/parse.ts';
import { defineField } from '../scheme.ts';
import { arrayOf, boolType, mapOf } from '../types.ts';
import type { Value } from '../values.ts';
import { requestOf, type RequestView } from './request-view.ts';

/** With lists of truths, which no real field has. */
const testScheme = scheme.with({
  fields: [
    defineField('test.flags', arrayOf(boolType)),
    defineField('test.flagmap', mapOf(arrayOf(boolType))),
  ],
});

export function filterOf(source: string): Filter {
  const parsed = parse(source, { scheme: testScheme });
  assert(parsed.ok, `the expression is right: ${source}`);
  return parsed.tree;
}

export function requestWith(facts: Readonly<Record<string, Value>>): RequestView {
  return requestOf(new Map(Object.entries(facts)));
}

/** Shared by the tests of this folder. */
import { assert } from '#base';
import type { Filter } from '../ast.ts';
import { scheme } from '../full-scheme.ts';
import { parse } from '../parse/parse.ts';
import { defineField } from '../scheme.ts';
import { arrayOf, boolType, mapOf } from '../types.ts';
import type { Value } from '../values.ts';
import { createRequest, type RequestView } from './request-view.ts';

/** With fields of type `Array<Bool>`, which the real language does not have. */
const testScheme = scheme.with({
  fields: [
    defineField('test.flags', arrayOf(boolType)),
    defineField('test.flagmap', mapOf(arrayOf(boolType))),
  ],
});

export function parseFilter(source: string): Filter {
  const parsed = parse(source, { scheme: testScheme });
  assert(parsed.ok, `the expression is right: ${source}`);
  return parsed.tree;
}

export function createRequestWith(facts: Readonly<Record<string, Value>>): RequestView {
  return createRequest(new Map(Object.entries(facts)));
}

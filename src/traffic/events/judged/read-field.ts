/** Reads a field of a request by its name. */
import { assert } from '#base';
import { interpretValue, parseValue, type RequestView, type Value } from '#expressions';

export type FieldReader = (view: RequestView) => Value | undefined;

export function createReader(field: string): FieldReader {
  const parsed = parseValue(field);
  assert(parsed.ok, `${field} is a field`);
  return interpretValue(parsed.tree);
}

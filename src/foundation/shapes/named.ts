/**
 * Names for schemas. The OpenAPI document has each named schema once, under `components.schemas`, and refers to it
 * wherever it is used, so that a generated client has one type for one thing.
 *
 * ```ts
 * const filterSchema = named('Filter', { type: 'object', required: ['id'], properties: { id: { type: 'string' } } });
 * const filterToCreate = named('NewFilter', object({ expression: text() }));
 * ```
 */
import type { JsonSchema, Shape } from './shape.ts';

/** The name is the schema's `title`: a title is a name here, and nothing else. */
export function named<S extends Shape<unknown>>(name: string, shape: S): S;
export function named(name: string, schema: JsonSchema): JsonSchema;
export function named(name: string, described: Shape<unknown> | JsonSchema): unknown {
  if (!isShape(described)) return { title: name, ...described };
  return { ...described, read: described.read.bind(described), schema: { title: name, ...described.schema } };
}

function isShape(described: Shape<unknown> | JsonSchema): described is Shape<unknown> {
  return typeof (described as Partial<Shape<unknown>>).read === 'function';
}

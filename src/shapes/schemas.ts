/** Schemas that the results of many operations are made of. */
import { named } from './named.ts';
import type { JsonSchema } from './shape.ts';

/** One of some words, or of some numbers. Generators need the type beside the values. */
export function enumeration(values: readonly (string | number)[], description?: string): JsonSchema {
  const type = values.every((value) => typeof value === 'string') ? 'string' : 'integer';
  return { type, enum: values, ...(description === undefined ? {} : { description }) };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export const momentSchema: JsonSchema = { type: 'string', format: 'date-time' };

/** What remains of something that was deleted. */
export const deletedSchema = named('Deleted', {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' } },
});

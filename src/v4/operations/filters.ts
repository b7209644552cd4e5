/** Filters: reusable expressions. */
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import { flagParameter, pageParameters, repeatedParameter, textParameter } from '../shapes/parameters.ts';
import { flag, text } from '../shapes/scalars.ts';
import type { JsonSchema } from '../shapes/shape.ts';
import { arrayOrOne, array, object, optional } from '../shapes/structures.ts';

const api = 'filters';
const read: readonly Permission[] = ['firewallServicesRead', 'firewallServicesWrite'];
const write: readonly Permission[] = ['firewallServicesWrite'];

/** So many filters in one call. */
const batchMax = 100;

const content = {
  expression: text({ min: 1, max: 65_536, description: 'At most 4,096 characters after trimming.' }),
  paused: optional(flag()),
  description: optional(text({ max: 500 })),
  ref: optional(text({ max: 50 })),
};

const filterId = text({ min: 1, max: 32 });
export const filterToCreate = object({ ...content, id: optional(text({ max: 32 })) });
const filterToUpdate = object({ ...content, id: optional(filterId) });
const filterOfMany = object({ ...content, id: filterId });

export const filterSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'expression', 'paused'],
  properties: {
    id: { type: 'string' },
    paused: { type: 'boolean' },
    description: { type: 'string' },
    ref: { type: 'string' },
    expression: { type: 'string' },
  },
};
const filtersSchema: JsonSchema = { type: 'array', items: filterSchema };
const idSchema: JsonSchema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };

export const filterOperations = {
  'filters.create': operation('POST /zones/{zone_id}/filters', {
    api,
    summary: 'Create filters',
    permissions: write,
    body: arrayOrOne(filterToCreate, { max: batchMax }),
    result: filtersSchema,
  }),
  'filters.list': operation('GET /zones/{zone_id}/filters', {
    api,
    summary: 'List filters',
    permissions: read,
    query: {
      id: textParameter(),
      paused: flagParameter(),
      ref: textParameter(),
      description: textParameter('A part of it, in any case.'),
      expression: textParameter('A part of it, in any case.'),
      ...pageParameters({ fallback: 25, max: 100 }),
    },
    result: filtersSchema,
  }),
  'filters.get': operation('GET /zones/{zone_id}/filters/{filter_id}', {
    api,
    summary: 'Get a filter',
    permissions: read,
    result: filterSchema,
  }),
  'filters.update': operation('PUT /zones/{zone_id}/filters/{filter_id}', {
    api,
    summary: 'Replace a filter',
    permissions: write,
    body: filterToUpdate,
    result: filterSchema,
  }),
  'filters.updateMany': operation('PUT /zones/{zone_id}/filters', {
    api,
    summary: 'Replace several filters in one transaction',
    permissions: write,
    body: array(filterOfMany, { max: batchMax }),
    result: filtersSchema,
  }),
  'filters.delete': operation('DELETE /zones/{zone_id}/filters/{filter_id}', {
    api,
    summary: 'Delete a filter',
    permissions: write,
    result: idSchema,
  }),
  'filters.deleteMany': operation('DELETE /zones/{zone_id}/filters', {
    api,
    summary: 'Delete several filters in one transaction',
    permissions: write,
    query: { id: repeatedParameter({ max: batchMax }) },
    result: { type: 'array', items: idSchema },
  }),
};

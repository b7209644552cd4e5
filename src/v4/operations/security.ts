/** The activity log, explanations, and judging requests that are only described: ours. */
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import { choiceParameter, countParameter, repeatedParameter, textParameter } from '../shapes/parameters.ts';
import { integer, text, unread } from '../shapes/scalars.ts';
import type { JsonSchema } from '../shapes/shape.ts';
import { map, object, optional } from '../shapes/structures.ts';

const api = 'security';
const read: readonly Permission[] = ['analyticsRead', 'zoneWafRead', 'zoneWafWrite'];
/** A ray id, and the place of the rule among those that the request triggered. */
const segments = { event_id: /^[0-9a-f]{16}-[A-Z]{1,8}-\d{1,4}$/ };

const eventSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'datetime', 'action', 'source', 'ruleId'],
  additionalProperties: true,
};

/** Everything a search can say; dimensions are conditions `field:operator:value`. */
const search = {
  since: textParameter('RFC 3339, or how long ago: 15m, 24h, 7d. An hour ago if not given.'),
  until: textParameter('RFC 3339; now if not given.'),
  where: repeatedParameter({ max: 50 }),
  expression: textParameter('In the rules language.'),
};

export const securityOperations = {
  'security.list': operation('GET /zones/{zone_id}/security/events', {
    api,
    summary: 'Search the activity log',
    permissions: read,
    query: {
      ...search,
      order: choiceParameter(['newest', 'oldest']),
      cursor: textParameter('From the page before.'),
      per_page: countParameter({ fallback: 100, min: 1, max: 10_000 }),
    },
    result: { type: 'array', items: eventSchema },
    isOurs: true,
  }),
  'security.summary': operation('GET /zones/{zone_id}/security/events/summary', {
    api,
    summary: 'Count events by fields and by stretches of time',
    permissions: read,
    query: {
      ...search,
      by: repeatedParameter({ max: 5 }),
      interval: textParameter('The length of a stretch: 1m, 15m, 1h, 1d.'),
      limit: countParameter({ fallback: 100, min: 1, max: 10_000 }),
    },
    result: { type: 'array', items: { type: 'object' } },
    isOurs: true,
  }),
  'security.export': operation('GET /zones/{zone_id}/security/events/export', {
    api,
    summary: 'Everything a search finds, as NDJSON or CSV',
    permissions: read,
    query: { ...search, format: choiceParameter(['ndjson', 'csv']) },
    result: eventSchema,
    isOurs: true,
  }),
  'security.tail': operation('GET /zones/{zone_id}/security/events/tail', {
    api,
    summary: 'Events as they happen, as server-sent events',
    permissions: read,
    query: { where: search.where, expression: search.expression },
    result: eventSchema,
    isOurs: true,
  }),
  'security.get': operation('GET /zones/{zone_id}/security/events/{event_id}', {
    api,
    summary: 'Get an event',
    permissions: read,
    result: eventSchema,
    segments,
    isOurs: true,
  }),
  'security.explain': operation('GET /zones/{zone_id}/security/events/{event_id}/explain', {
    api,
    summary: 'Why a request was treated as it was',
    permissions: read,
    result: { type: 'object' },
    segments,
    isOurs: true,
  }),
  'security.trace': operation('POST /zones/{zone_id}/security/trace', {
    api,
    summary: 'Judge a described request without sending it',
    permissions: ['zoneWafRead', 'zoneWafWrite'],
    isWrite: false,
    body: object({
      method: optional(text({ min: 1, max: 32 })),
      url: text({ min: 1, max: 16_384 }),
      headers: optional(
        map(unread({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }), {
          max: 128,
        }),
      ),
      body: optional(text({ max: 131_072 })),
      ip: optional(text({ max: 45 })),
      country: optional(text({ max: 2 })),
      asn: optional(integer({ min: 0, max: 4_294_967_295 })),
    }),
    result: { type: 'object' },
    isOurs: true,
  }),
  'graphql.query': operation('POST /graphql', {
    api: 'graphql',
    summary: 'Ask the activity log in GraphQL',
    permissions: ['analyticsRead'],
    isWrite: false,
    body: object({
      query: text({ min: 1, max: 32_768 }),
      variables: optional(unread({ type: 'object' })),
      operationName: optional(unread({ type: ['string', 'null'] })),
    }),
    result: { type: 'object' },
  }),
};

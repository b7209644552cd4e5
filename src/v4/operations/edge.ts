/** How a zone is served by the edge: ours, the original configures this elsewhere. */
import { operation } from '../operation.ts';
import { choice, flag, nullable, text } from '../shapes/scalars.ts';
import type { JsonSchema } from '../shapes/shape.ts';
import { object, optional } from '../shapes/structures.ts';

const api = 'edge';

const origin = object({
  url: text({
    min: 8,
    max: 300,
    pattern: /^https?:\/\//,
    what: 'a URL that begins with http:// or https://',
  }),
  connect_to: optional(text({ min: 1, max: 253 })),
  verify_tls: optional(flag()),
});

const settings: JsonSchema = {
  type: 'object',
  required: ['origin', 'over_inspection_limit'],
  properties: {
    origin: { anyOf: [origin.schema, { type: 'null' }] },
    over_inspection_limit: { enum: ['log', 'block'] },
  },
};

export const edgeOperations = {
  'edge.get': operation('GET /zones/{zone_id}/edge', {
    api,
    summary: 'Get the origin of a zone and how it is served',
    permissions: ['zoneSettingsRead', 'zoneSettingsWrite'],
    result: settings,
    isOurs: true,
  }),
  'edge.update': operation('PUT /zones/{zone_id}/edge', {
    api,
    summary: 'Set the origin of a zone and how it is served',
    permissions: ['zoneSettingsWrite'],
    body: object({
      origin: optional(nullable(origin)),
      over_inspection_limit: optional(choice(['log', 'block'])),
    }),
    result: settings,
    isOurs: true,
  }),
};

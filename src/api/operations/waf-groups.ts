/** Groups of previous managed rules. */
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  orderParameters,
  choiceParameter,
  pageParameters,
  textParameter,
  unread,
  type JsonSchema,
  object,
  optional,
} from '#shapes';

const api = 'waf';
const read: readonly Permission[] = ['firewallServicesRead', 'firewallServicesWrite'];
const write: readonly Permission[] = ['firewallServicesWrite'];

const groupSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'name', 'mode', 'package_id', 'rules_count'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    description: { type: ['string', 'null'] },
    mode: { enum: ['on', 'off'] },
    package_id: { type: 'string' },
    rules_count: { type: 'integer' },
    modified_rules_count: { type: 'integer' },
    allowed_modes: { type: 'array', items: { enum: ['on', 'off'] } },
  },
};

export const wafGroupOperations = {
  'wafGroups.list': operation('GET /zones/{zone_id}/firewall/waf/packages/{package_id}/groups', {
    api,
    summary: 'List groups of a package',
    permissions: read,
    query: {
      name: textParameter('The whole name, in any case.'),
      mode: choiceParameter(['on', 'off']),
      rules_count: textParameter('A whole number.'),
      ...orderParameters(['mode', 'rules_count']),
      ...pageParameters({ fallback: 50, max: 100 }),
    },
    result: { type: 'array', items: groupSchema },
  }),
  'wafGroups.get': operation('GET /zones/{zone_id}/firewall/waf/packages/{package_id}/groups/{group_id}', {
    api,
    summary: 'Get a group of a package',
    permissions: read,
    result: groupSchema,
  }),
  'wafGroups.edit': operation('PATCH /zones/{zone_id}/firewall/waf/packages/{package_id}/groups/{group_id}', {
    api,
    summary: 'Turn a group on or off',
    permissions: write,
    body: object({ mode: optional(unread({ enum: ['on', 'off'] })) }),
    result: groupSchema,
  }),
};

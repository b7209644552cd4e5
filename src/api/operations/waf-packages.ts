/** Packages of previous managed rules. */
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  orderParameters,
  pageParameters,
  textParameter,
  choice,
  type JsonSchema,
  object,
  optional,
} from '#shapes';

const api = 'waf';
const read: readonly Permission[] = ['firewallServicesRead', 'firewallServicesWrite'];
const write: readonly Permission[] = ['firewallServicesWrite'];

const packageSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'name', 'zone_id', 'detection_mode'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    description: { type: ['string', 'null'] },
    zone_id: { type: 'string' },
    detection_mode: { enum: ['traditional', 'anomaly'] },
    sensitivity: { enum: ['high', 'medium', 'low', 'off'], description: 'Of an anomaly package.' },
    action_mode: { enum: ['simulate', 'block', 'challenge'], description: 'Of an anomaly package.' },
  },
};

export const wafPackageOperations = {
  'wafPackages.list': operation('GET /zones/{zone_id}/firewall/waf/packages', {
    api,
    summary: 'List packages of previous managed rules',
    permissions: read,
    query: {
      name: textParameter('The whole name, in any case.'),
      ...orderParameters(['name', 'status']),
      ...pageParameters({ fallback: 50, max: 100 }),
    },
    result: { type: 'array', items: packageSchema },
  }),
  'wafPackages.get': operation('GET /zones/{zone_id}/firewall/waf/packages/{package_id}', {
    api,
    summary: 'Get a package of previous managed rules',
    permissions: read,
    result: packageSchema,
  }),
  'wafPackages.edit': operation('PATCH /zones/{zone_id}/firewall/waf/packages/{package_id}', {
    api,
    summary: 'Change the sensitivity or the action of an anomaly package',
    permissions: write,
    body: object({
      sensitivity: optional(choice(['high', 'medium', 'low', 'off'])),
      action_mode: optional(choice(['simulate', 'block', 'challenge'])),
    }),
    result: packageSchema,
  }),
};

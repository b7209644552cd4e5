/** Previous managed rules. */
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

/** Ids such as 100015, 958019 and WP0025B. */
const segments = { rule_id: /^[0-9A-Za-z_-]{1,32}$/ };

const modes = ['default', 'disable', 'simulate', 'block', 'challenge', 'on', 'off'];
const modeSchema: JsonSchema = { enum: modes, description: 'One of `allowed_modes` of the rule.' };
const ruleSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'description', 'priority', 'package_id', 'group', 'mode', 'allowed_modes'],
  properties: {
    id: { type: 'string' },
    description: { type: 'string' },
    priority: { type: 'string' },
    package_id: { type: 'string' },
    group: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } },
    mode: modeSchema,
    default_mode: { enum: ['disable', 'simulate', 'block', 'challenge'] },
    allowed_modes: { type: 'array', items: { enum: modes } },
  },
};

export const wafRuleOperations = {
  'wafRules.list': operation('GET /zones/{zone_id}/firewall/waf/packages/{package_id}/rules', {
    api,
    summary: 'List rules of a package',
    permissions: read,
    query: {
      mode: choiceParameter(['DIS', 'CHL', 'BLK', 'SIM'], 'Rules that were set to this mode.'),
      group_id: textParameter(),
      description: textParameter('A part of it, in any case.'),
      priority: textParameter(),
      ...orderParameters(['priority', 'group_id', 'description']),
      ...pageParameters({ fallback: 50, max: 100 }),
    },
    result: { type: 'array', items: ruleSchema },
  }),
  'wafRules.get': operation('GET /zones/{zone_id}/firewall/waf/packages/{package_id}/rules/{rule_id}', {
    api,
    summary: 'Get a rule of a package',
    permissions: read,
    segments,
    result: ruleSchema,
  }),
  'wafRules.edit': operation('PATCH /zones/{zone_id}/firewall/waf/packages/{package_id}/rules/{rule_id}', {
    api,
    summary: 'Change the mode of a rule',
    permissions: write,
    segments,
    body: object({ mode: optional(unread(modeSchema)) }),
    result: ruleSchema,
  }),
};

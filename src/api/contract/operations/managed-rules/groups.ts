/** Groups of legacy managed rules. */
import { wafCodes } from '../../codes/managed-rules.ts';
import { legacySwitchModes } from '#firewall';
import { operationsOf } from '../../operation.ts';
import {
  named,
  orderParameters,
  choiceParameter,
  pageParameters,
  textParameter,
  unread,
  listOf,
  object,
  optional,
  choice,
  record,
  string,
  nullable,
  whole,
} from '#shapes';
import { unavailable } from './packages.ts';

const operation = operationsOf({
  api: 'waf',
  read: ['firewallServicesRead', 'firewallServicesWrite'],
  write: ['firewallServicesWrite'],
});

const mode = choice(legacySwitchModes);
const groupSchema = named(
  'WafGroup',
  record({
    id: string,
    name: string,
    description: nullable(string),
    mode,
    package_id: string,
    rules_count: whole,
    modified_rules_count: whole,
    allowed_modes: optional(listOf(mode)),
  }),
);

const groupCodes = [...unavailable, wafCodes.wafPackageNotFound, wafCodes.wafGroupNotFound];

export const wafGroupOperations = {
  'wafGroups.list': operation('GET /zones/{zone_id}/firewall/waf/packages/{package_id}/groups', {
    summary: 'List groups of a package',
    query: {
      name: textParameter('The whole name, in any case.'),
      mode: choiceParameter(legacySwitchModes),
      rules_count: textParameter('A whole number.'),
      ...orderParameters(['mode', 'rules_count']),
      ...pageParameters({ fallback: 50, max: 100 }),
    },
    result: listOf(groupSchema),
    codes: [...unavailable, wafCodes.wafPackageNotFound],
  }),
  'wafGroups.get': operation('GET /zones/{zone_id}/firewall/waf/packages/{package_id}/groups/{group_id}', {
    summary: 'Get a group of a package',
    result: groupSchema,
    codes: groupCodes,
  }),
  'wafGroups.edit': operation('PATCH /zones/{zone_id}/firewall/waf/packages/{package_id}/groups/{group_id}', {
    summary: 'Turn a group on or off',
    body: named('WafGroupEdit', object({ mode: optional(unread(mode.schema)) })),
    result: groupSchema,
    codes: [
      ...groupCodes,
      wafCodes.wafGroupModeInvalid,
      wafCodes.wafGroupAlreadyOn,
      wafCodes.wafGroupAlreadyOff,
    ],
  }),
};

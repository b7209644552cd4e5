/** Legacy managed rules. */
import { wafCodes } from '../../codes/managed-rules.ts';
import { legacyDenyModes, legacySwitchModes } from '#firewall';
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
  annotate,
  record,
  string,
} from '#shapes';
import { unavailable } from './packages.ts';

const operation = operationsOf({
  api: 'waf',
  read: ['firewallServicesRead', 'firewallServicesWrite'],
  write: ['firewallServicesWrite'],
});

/** Ids such as 100015, 958019 and WP0025B. */
const segments = { rule_id: /^[0-9A-Za-z_-]{1,32}$/ };

const modes = ['default', ...legacyDenyModes, ...legacySwitchModes];
const modeSchema = annotate(choice(modes), { description: 'One of `allowed_modes` of the rule.' });
const ruleSchema = named(
  'WafRule',
  record({
    id: string,
    description: string,
    priority: string,
    package_id: string,
    group: named('WafRuleGroup', record({ id: string, name: string })),
    mode: modeSchema,
    default_mode: optional(choice(legacyDenyModes)),
    allowed_modes: listOf(choice(modes)),
  }),
);

const ruleCodes = [...unavailable, wafCodes.wafPackageNotFound, wafCodes.wafRuleNotFound];

export const wafRuleOperations = {
  'wafRules.list': operation('GET /zones/{zone_id}/firewall/waf/packages/{package_id}/rules', {
    summary: 'List rules of a package',
    query: {
      mode: choiceParameter(['DIS', 'CHL', 'BLK', 'SIM'], 'Rules that were set to this mode.'),
      group_id: textParameter(),
      description: textParameter('A substring; case is ignored.'),
      priority: textParameter(),
      ...orderParameters(['priority', 'group_id', 'description']),
      ...pageParameters({ fallback: 50, max: 100 }),
    },
    result: listOf(ruleSchema),
    codes: [...unavailable, wafCodes.wafPackageNotFound, wafCodes.wafGroupNotFound],
  }),
  'wafRules.get': operation('GET /zones/{zone_id}/firewall/waf/packages/{package_id}/rules/{rule_id}', {
    summary: 'Get a rule of a package',
    segments,
    result: ruleSchema,
    codes: ruleCodes,
  }),
  'wafRules.edit': operation('PATCH /zones/{zone_id}/firewall/waf/packages/{package_id}/rules/{rule_id}', {
    summary: 'Change the mode of a rule',
    segments,
    body: named('WafRuleEdit', object({ mode: optional(unread(modeSchema.schema)) })),
    result: ruleSchema,
    codes: [...ruleCodes, wafCodes.wafRuleModeInvalid, wafCodes.wafRuleAlreadyOn, wafCodes.wafRuleAlreadyOff],
  }),
};

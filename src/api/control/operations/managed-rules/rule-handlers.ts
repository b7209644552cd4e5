/** Operations on legacy managed rules. */
import { legacyDenyModes, legacySwitchModes } from '#firewall';
import { legacyGroups, type LegacyRule } from '#managed';
import { fault, ok, pageOf, type Result, wafCodes } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { addOutOfForceMessages } from '../../configuration/out-of-force.ts';
import { arrange, compareTexts } from './arrange.ts';
import { requireProduct, wafPackages } from './availability.ts';
import { findPackage, findRule } from './waf-catalogue.ts';
import { legacyRuleTable, readModes, type RuleMode, setMode } from '../../stores/managed-rules.ts';

const denyModes = ['default', ...legacyDenyModes] as const;

export const ruleHandlers: Handlers<ZoneContext, 'wafRules'> = {
  'wafRules.list'(context, { path, query }) {
    requireProduct(context, wafPackages);
    const { mode, group_id, description, priority, order, direction, match } = query;
    const changed = readModes(context.sql, legacyRuleTable);
    const part = description?.toLowerCase();
    const found = arrange(findPackage(path).rules, {
      conditions: [
        mode === undefined ? undefined : (rule) => shortModes[mode].includes(changed.get(rule.id)),
        group_id === undefined ? undefined : (rule) => rule.groupId === group_id,
        part === undefined ? undefined : (rule) => rule.description.toLowerCase().includes(part),
        priority === undefined ? undefined : (rule) => rule.priority === priority,
      ],
      match,
      compare: order && comparisons[order],
      direction,
    });
    return pageOf(
      found.map((rule) => toRuleJson(rule, changed.get(rule.id))),
      query,
    );
  },

  'wafRules.get'(context, { path }) {
    requireProduct(context, wafPackages);
    const rule = findRule(path);
    addOutOfForceMessages(context, [rule]);
    return ok(toRuleJson(rule, legacyRuleTable.get(context.sql, rule.id)?.mode));
  },

  'wafRules.edit'(context, { path, body }) {
    requireProduct(context, wafPackages);
    const rule = findRule(path);
    const before = legacyRuleTable.get(context.sql, rule.id)?.mode;
    const after = chooseStoredMode(rule, before, body.mode);
    if (after !== before) {
      setMode(context.sql, legacyRuleTable, { id: rule.id, mode: after });
      const json = { before: toRuleJson(rule, before), after: toRuleJson(rule, after) };
      context.audit({ resource: 'waf_rule', id: rule.id, ...json });
    }
    return ok(toRuleJson(rule, after));
  },
};

const shortModes: Readonly<Record<'DIS' | 'CHL' | 'BLK' | 'SIM', readonly (RuleMode | undefined)[]>> = {
  DIS: ['disable', 'off'],
  CHL: ['challenge'],
  BLK: ['block'],
  SIM: ['simulate'],
};

const comparisons = {
  // Priorities are numbers, although the API sends them as text.
  priority: (a: LegacyRule, b: LegacyRule): number => Number(a.priority) - Number(b.priority),
  group_id: (a: LegacyRule, b: LegacyRule): number => compareTexts(a.groupId, b.groupId),
  description: (a: LegacyRule, b: LegacyRule): number => compareTexts(a.description, b.description),
};

/** The mode to store for the requested one: undefined if that is the catalogue's default. */
function chooseStoredMode(
  rule: LegacyRule,
  before: RuleMode | undefined,
  asked: unknown,
): RuleMode | undefined {
  if (rule.kind === 'deny') {
    const mode = denyModes.find((each) => each === asked) ?? refuseMode(rule, denyModes);
    return mode === 'default' ? undefined : mode;
  }
  const mode = legacySwitchModes.find((each) => each === asked) ?? refuseMode(rule, legacySwitchModes);
  if (mode === (before ?? rule.defaultMode)) {
    throw fault(mode === 'on' ? wafCodes.wafRuleAlreadyOn : wafCodes.wafRuleAlreadyOff);
  }
  return mode === rule.defaultMode ? undefined : mode;
}

function refuseMode({ id }: LegacyRule, modes: readonly string[]): never {
  throw fault(wafCodes.wafRuleModeInvalid, { pointer: '/mode', fill: { rule: id, modes: modes.join(', ') } });
}

/** The keys are in Cloudflare's order. */
function toRuleJson(rule: LegacyRule, changed: RuleMode | undefined): Result<'wafRules.get'> {
  const { id, description, priority, packageId, groupId, kind, defaultMode } = rule;
  const isDeny = kind === 'deny';
  return {
    id,
    description,
    priority,
    package_id: packageId,
    group: { id: groupId, name: legacyGroups.get(groupId)!.name },
    mode: changed ?? (isDeny ? 'default' : defaultMode),
    ...(isDeny ? { default_mode: defaultMode } : {}),
    allowed_modes: isDeny ? denyModes : legacySwitchModes,
  };
}

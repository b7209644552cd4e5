/** Operations on previous managed rules. */
import { previousDenyModes, previousSwitchModes } from '#firewall';
import { previousGroups, type PreviousRule } from '#managed';
import { fault, ok, pageOf, wafCodes, type wafRuleOperations } from '#api';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { arrange, compareTexts } from './arrange.ts';
import { requireProduct, wafPackages } from './availability.ts';
import { packageOf, ruleOf } from './waf-catalogue.ts';
import { PreviousStore, type RuleMode } from '../../stores/waf-mode-store.ts';

const denyModes = ['default', ...previousDenyModes] as const;

export const ruleHandlers: Handlers<ZoneContext, typeof wafRuleOperations> = {
  'wafRules.list'(context, { path, query }) {
    requireProduct(context, wafPackages);
    const { mode, group_id, description, priority, order, direction, match } = query;
    const changed = new PreviousStore(context.sql).ruleModes();
    const part = description?.toLowerCase();
    const found = arrange(packageOf(path).rules, {
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
      found.map((rule) => ruleJson(rule, changed.get(rule.id))),
      query,
    );
  },

  'wafRules.get'(context, { path }) {
    requireProduct(context, wafPackages);
    const rule = ruleOf(path);
    return ok(ruleJson(rule, new PreviousStore(context.sql).ruleModes().get(rule.id)));
  },

  'wafRules.edit'(context, { path, body }) {
    requireProduct(context, wafPackages);
    const rule = ruleOf(path);
    const store = new PreviousStore(context.sql);
    const before = store.ruleModes().get(rule.id);
    const after = changedMode(rule, before, body.mode);
    if (after !== before) {
      store.setRule(rule.id, after);
      const json = { before: ruleJson(rule, before), after: ruleJson(rule, after) };
      context.audit({ resource: 'waf_rule', id: rule.id, ...json });
    }
    return ok(ruleJson(rule, after));
  },
};

const shortModes: Readonly<Record<'DIS' | 'CHL' | 'BLK' | 'SIM', readonly (RuleMode | undefined)[]>> = {
  DIS: ['disable', 'off'],
  CHL: ['challenge'],
  BLK: ['block'],
  SIM: ['simulate'],
};

const comparisons = {
  // Numbers, though they travel as text.
  priority: (a: PreviousRule, b: PreviousRule): number => Number(a.priority) - Number(b.priority),
  group_id: (a: PreviousRule, b: PreviousRule): number => compareTexts(a.groupId, b.groupId),
  description: (a: PreviousRule, b: PreviousRule): number => compareTexts(a.description, b.description),
};

/** The mode to store for the one that is asked for: nothing where that is the catalogue's. */
function changedMode(rule: PreviousRule, before: RuleMode | undefined, asked: unknown): RuleMode | undefined {
  if (rule.kind === 'deny') {
    const mode = denyModes.find((each) => each === asked) ?? refuseMode(rule, denyModes);
    return mode === 'default' ? undefined : mode;
  }
  const mode = previousSwitchModes.find((each) => each === asked) ?? refuseMode(rule, previousSwitchModes);
  if (mode === (before ?? rule.defaultMode)) {
    throw fault(mode === 'on' ? wafCodes.wafRuleAlreadyOn : wafCodes.wafRuleAlreadyOff);
  }
  return mode === rule.defaultMode ? undefined : mode;
}

function refuseMode({ id }: PreviousRule, modes: readonly string[]): never {
  throw fault(wafCodes.wafRuleModeInvalid, { pointer: '/mode', fill: { rule: id, modes: modes.join(', ') } });
}

/** In the order of the original. */
function ruleJson(rule: PreviousRule, changed: RuleMode | undefined): object {
  const { id, description, priority, packageId, groupId, kind, defaultMode } = rule;
  const isDeny = kind === 'deny';
  return {
    id,
    description,
    priority,
    package_id: packageId,
    group: { id: groupId, name: previousGroups.get(groupId)!.name },
    mode: changed ?? (isDeny ? 'default' : defaultMode),
    ...(isDeny ? { default_mode: defaultMode } : {}),
    allowed_modes: isDeny ? denyModes : previousSwitchModes,
  };
}

/** Operations on groups of legacy managed rules. */
import type { LegacyGroup } from '#managed';
import { fault, ok, pageOf, wafCodes } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { arrange, compareTexts } from './arrange.ts';
import { requireProduct, wafPackages } from './availability.ts';
import { findGroup, findPackage } from './waf-catalogue.ts';
import { legacyGroupTable, legacyRuleTable, readModes, setMode } from '../../stores/managed-rules.ts';

const groupModes = ['on', 'off'] as const;

export const groupHandlers: Handlers<ZoneContext, 'wafGroups'> = {
  'wafGroups.list'(context, { path, query }) {
    requireProduct(context, wafPackages);
    const { name, mode, rules_count: count, order, direction, match } = query;
    const groups = findPackage(path).groups.map((group) => toGroupJson(context, group));
    const found = arrange(groups, {
      conditions: [
        name === undefined ? undefined : (group) => group.name.toLowerCase() === name.toLowerCase(),
        mode === undefined ? undefined : (group) => group.mode === mode,
        count === undefined ? undefined : (group) => String(group.rules_count) === count,
      ],
      match,
      compare: order && comparisons[order],
      direction,
    });
    return pageOf(found, query);
  },

  'wafGroups.get'(context, { path }) {
    requireProduct(context, wafPackages);
    return ok(toGroupJson(context, findGroup(path)));
  },

  'wafGroups.edit'(context, { path, body }) {
    requireProduct(context, wafPackages);
    const group = findGroup(path);
    const mode = groupModes.find((each) => each === body.mode);
    if (mode === undefined) throw fault(wafCodes.wafGroupModeInvalid, { pointer: '/mode' });
    const before = toGroupJson(context, group);
    if (before.mode === mode)
      throw fault(mode === 'on' ? wafCodes.wafGroupAlreadyOn : wafCodes.wafGroupAlreadyOff);
    const stored = mode === group.defaultMode ? undefined : mode;
    setMode(context.sql, legacyGroupTable, { id: group.id, mode: stored });
    const after = toGroupJson(context, group);
    context.audit({ resource: 'waf_group', id: group.id, before, after });
    return ok(after);
  },
};

type GroupJson = ReturnType<typeof toGroupJson>;

const comparisons = {
  mode: (a: GroupJson, b: GroupJson): number => compareTexts(a.mode, b.mode),
  rules_count: (a: GroupJson, b: GroupJson): number => a.rules_count - b.rules_count,
};

/** The keys are in Cloudflare's order. */
function toGroupJson({ sql }: ZoneContext, group: LegacyGroup) {
  const changed = readModes(sql, legacyRuleTable);
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    mode: legacyGroupTable.get(sql, group.id)?.mode ?? group.defaultMode,
    package_id: group.packageId,
    rules_count: group.ruleIds.length,
    modified_rules_count: group.ruleIds.filter((id) => changed.has(id)).length,
    allowed_modes: groupModes,
  };
}

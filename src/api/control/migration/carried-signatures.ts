/**
 * Converts the package of signatures into overrides of the managed ruleset that replaces it. A rule gets an override if
 * the zone makes it do something other than what its replacement does by default.
 */
import { assert } from '#base';
import type { RuleOverride } from '#rulesets';
import { type ManagedRule, managedRules } from '#managed';
import { entryOf, type ErrorEntry, migrationLossCodes } from '#contract';
import type { ConfiguredPackage, ConfiguredRule } from '../configuration/legacy-waf-configuration.ts';
import type { RuleMode } from '../stores/managed-rules.ts';

export interface CarriedSignatures {
  readonly overrides: readonly RuleOverride[];
  readonly losses: readonly ErrorEntry[];
}

/** `findReplacement` returns the id of the managed rule that replaces a legacy one. */
export function carrySignatures(
  { name, groups, rules }: ConfiguredPackage,
  findReplacement: (legacyRuleId: string) => string | undefined,
): CarriedSignatures {
  const groupsOff = new Set(groups.filter(({ mode }) => mode === 'off').map(({ id }) => id));
  const overrides: RuleOverride[] = [];
  const losses: ErrorEntry[] = [];
  for (const rule of rules) {
    const mode = groupsOff.has(rule.groupId) ? 'disable' : rule.mode;
    const replacement = managedRules.get(findReplacement(rule.id) ?? '')?.rule;
    if (replacement !== undefined) overrides.push(...createOverride(replacement, rule, mode));
    else if (!isIdle(mode)) {
      const fill = { rule: rule.id, package: name, mode };
      losses.push(entryOf(migrationLossCodes.lossRule, { fill }));
    }
  }
  return { overrides, losses };
}

function isIdle(mode: RuleMode): boolean {
  return mode === 'disable' || mode === 'off';
}

const actions = { simulate: 'log', block: 'block', challenge: 'challenge' } as const;

function createOverride(
  replacement: ManagedRule,
  rule: ConfiguredRule,
  mode: RuleMode,
): readonly RuleOverride[] {
  const { id, enabled, action } = replacement;
  assert(action !== 'score', 'rules that replace signatures act by themselves');
  if (isIdle(mode)) return enabled ? [{ id, action, enabled: false }] : [];
  const wanted = actions[mode as keyof typeof actions];
  // A rule that was never changed follows the catalogue, which may choose another kind of challenge.
  const isSame =
    wanted === action || (!rule.isChanged && wanted === 'challenge' && action.endsWith('challenge'));
  return enabled && isSame ? [] : [{ id, action: wanted, enabled: true }];
}

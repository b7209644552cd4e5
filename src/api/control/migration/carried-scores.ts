/**
 * Converts the OWASP package into overrides of the scoring ruleset. Its sensitivity becomes a paranoia level and a
 * threshold; its action becomes the action of the rule that compares the score. Settings of its groups and rules have
 * no counterpart.
 */
import { assert } from '#base';
import type { CategoryOverride, Overrides } from '#rulesets';
import type { Sensitivity } from '#firewall';
import { managedRulesets, legacyGroups, rulesetIds } from '#managed';
import { entryOf, type ErrorEntry, migrationLossCodes } from '#contract';
import type { ConfiguredPackage } from '../configuration/legacy-waf-configuration.ts';

export const scoringRulesetId = rulesetIds.owasp;

export interface CarriedScores {
  /** Undefined if the package is off. */
  readonly overrides: Overrides | undefined;
  readonly losses: readonly ErrorEntry[];
}

/** A package that was never changed counts as one of high sensitivity. */
const levels: Readonly<
  Record<Exclude<Sensitivity, 'off'>, { readonly level: number; readonly threshold: number }>
> = {
  high: { level: 2, threshold: 40 },
  medium: { level: 1, threshold: 25 },
  low: { level: 1, threshold: 40 },
  default: { level: 2, threshold: 40 },
};

const paranoiaLevels = [1, 2, 3, 4];

const actions = { simulate: 'log', block: 'block', challenge: 'challenge' } as const;

export function carryScores(scores: ConfiguredPackage): CarriedScores {
  const { settings } = scores;
  assert(settings !== null, 'a scoring package has a sensitivity');
  const { sensitivity, actionMode } = settings;
  if (sensitivity === 'off') return { overrides: undefined, losses: [] };
  const { level, threshold } = levels[sensitivity];
  const action = actions[actionMode];
  const ruleset = managedRulesets.get(scoringRulesetId);
  const comparing = ruleset?.rules.find(({ scoreThreshold }) => scoreThreshold !== undefined);
  assert(ruleset !== undefined && comparing !== undefined, 'the catalogue has a scoring ruleset');
  const overrides: Overrides = {
    categories: listCategoryOverrides(level),
    rules: [{ id: comparing.id, action, score_threshold: threshold }],
  };
  const fill = { sensitivity, action: actionMode, level, threshold, becomes: action };
  const mapped = entryOf(migrationLossCodes.lossScoreTable, { fill });
  const missing =
    ruleset.content?.state === 'not installed' ? [entryOf(migrationLossCodes.lossScoresNotInstalled)] : [];
  return { overrides, losses: [mapped, ...missing, ...listLostSettings(scores)] };
}

/** All levels are on unless an override switches them off. */
function listCategoryOverrides(level: number): CategoryOverride[] {
  return paranoiaLevels
    .filter((each) => each > level)
    .map((each) => ({ category: `paranoia-level-${each}`, enabled: false }));
}

function listLostSettings({ groups, rules }: ConfiguredPackage): ErrorEntry[] {
  const lostGroups = groups.flatMap(({ id, mode }) => {
    const { name, defaultMode } = legacyGroups.get(id)!;
    if (mode === defaultMode) return [];
    return [entryOf(migrationLossCodes.lossScoreGroup, { fill: { group: id, name, mode } })];
  });
  const lostRules = rules.flatMap(({ id, mode, isChanged }) =>
    isChanged ? [entryOf(migrationLossCodes.lossScoreRule, { fill: { rule: id, mode } })] : [],
  );
  return [...lostGroups, ...lostRules];
}

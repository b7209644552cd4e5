/**
 * Applies the overrides of a deployment to the rules of a managed ruleset. Each property is decided separately: by the
 * override of the rule if it sets the property, else by that of the last listed category of the rule, else by that of
 * the whole ruleset, else by the ruleset's own default. So category and ruleset overrides also apply to rules that are
 * added later.
 */
import type { CategoryOverride, Override, Overrides } from './model.ts';

interface OverridableRule {
  readonly id: string;
  readonly categories: readonly string[];
  readonly enabled: boolean;
  /** For a managed rule: a verdict, or a part of one such as `score`, which overrides replace. */
  readonly action: string;
  /** Only for the rule that compares the score. */
  readonly score_threshold?: number;
}

export interface EffectiveRule {
  readonly enabled: boolean;
  readonly action: string;
  readonly scoreThreshold?: number;
}

/** By rule id, in the order of the rules. */
export function resolveOverrides(
  rules: Iterable<OverridableRule>,
  overrides: Overrides = {},
): Map<string, EffectiveRule> {
  const byRule = new Map(overrides.rules?.map((override) => [override.id, override]));
  const byCategory = new Map(
    overrides.categories?.map((override, place) => [override.category, { override, place }]),
  );
  const effective = new Map<string, EffectiveRule>();
  for (const rule of rules) {
    const own = byRule.get(rule.id);
    const layers = [own, ...categoriesOf(rule, byCategory), overrides];
    const scoreThreshold = own?.score_threshold ?? rule.score_threshold;
    effective.set(rule.id, {
      enabled: decide(layers, 'enabled') ?? rule.enabled,
      action: decide(layers, 'action') ?? rule.action,
      ...(scoreThreshold === undefined ? {} : { scoreThreshold }),
    });
  }
  return effective;
}

/** The category overrides that apply to a rule, the strongest first: the last listed. */
function categoriesOf(
  { categories }: OverridableRule,
  byCategory: ReadonlyMap<string, { readonly override: CategoryOverride; readonly place: number }>,
): readonly CategoryOverride[] {
  return categories
    .flatMap((category) => byCategory.get(category) ?? [])
    .sort((a, b) => b.place - a.place)
    .map(({ override }) => override);
}

function decide<K extends keyof Override>(
  layers: readonly (Override | undefined)[],
  property: K,
): Override[K] | undefined {
  return layers.find((layer) => layer?.[property] !== undefined)?.[property];
}

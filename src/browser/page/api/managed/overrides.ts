/**
 * Overrides of a managed ruleset, as values. Each property of a rule is decided separately: by the override of the
 * rule, else by that of the last listed tag it has, else by that of the whole ruleset, else by the ruleset.
 */
import type { Result, Sent } from '#client';
import { owaspRulesetId, paranoiaLevels } from './ids.ts';

export type ManagedRule = Result<'rulesets.get'>['rules'][number];

/** The points that a rule adds to the score of a request. */
export function incrementOf({ action_parameters }: ManagedRule): number | undefined {
  return action_parameters?.increment;
}

type RuleParameters = NonNullable<Sent<'rulesets.addRule'>['action_parameters']>;
export type Overrides = NonNullable<RuleParameters['overrides']>;
export type CategoryOverride = NonNullable<Overrides['categories']>[number];
export type RuleOverride = NonNullable<Overrides['rules']>[number];
type AnyOverride = Pick<Overrides, 'action' | 'enabled'>;

/** The possible effects of a rule, in words. */
export const verdictNames: Readonly<Record<string, string>> = {
  block: 'block',
  managed_challenge: 'managed challenge',
  js_challenge: 'js challenge',
  challenge: 'challenge',
  log: 'log',
};

/** Drops empty overrides, which the API refuses. */
export function tidyOverrides({
  action,
  enabled,
  categories = [],
  rules = [],
}: Overrides): Overrides | undefined {
  const says = (override: AnyOverride & { readonly score_threshold?: number }): boolean =>
    override.action !== undefined || override.enabled !== undefined || override.score_threshold !== undefined;
  const kept = { categories: categories.filter(says), rules: rules.filter(says) };
  const tidy = {
    ...(action === undefined ? {} : { action }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(kept.categories.length === 0 ? {} : { categories: kept.categories }),
    ...(kept.rules.length === 0 ? {} : { rules: kept.rules }),
  };
  return Object.keys(tidy).length === 0 ? undefined : tidy;
}

/** An edit of an override; `undefined` removes a property. */
export interface OverrideEdit {
  /** One of `verdictNames`. */
  readonly action?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly score_threshold?: number | undefined;
}

function applyEdit<Kind extends AnyOverride>(override: Kind, edit: OverrideEdit): Kind {
  const entries = Object.entries({ ...override, ...edit }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Kind;
}

export function editRuleset(overrides: Overrides, edit: OverrideEdit): Overrides {
  return applyEdit(overrides, edit);
}

export function editRule(overrides: Overrides, id: string, edit: OverrideEdit): Overrides {
  const { rules = [] } = overrides;
  const isThere = rules.some((rule) => rule.id === id);
  const all: readonly RuleOverride[] = isThere ? rules : [...rules, { id }];
  return { ...overrides, rules: all.map((rule) => (rule.id === id ? applyEdit(rule, edit) : rule)) };
}

export function editCategory(overrides: Overrides, category: string, edit: OverrideEdit): Overrides {
  const { categories = [] } = overrides;
  const isThere = categories.some((each) => each.category === category);
  const all: readonly CategoryOverride[] = isThere ? categories : [...categories, { category }];
  return {
    ...overrides,
    categories: all.map((each) => (each.category === category ? applyEdit(each, edit) : each)),
  };
}

export function removeCategory(overrides: Overrides, category: string): Overrides {
  return {
    ...overrides,
    categories: overrides.categories?.filter((each) => each.category !== category) ?? [],
  };
}

export interface Effective {
  readonly enabled: boolean;
  readonly action: string;
}

/** What the rule does without an override of its own. */
export function resolveInherited(
  rule: Pick<ManagedRule, 'action' | 'categories' | 'enabled'>,
  overrides: Overrides,
): Effective {
  const { categories = [] } = rule;
  const ofTags = (overrides.categories ?? [])
    .filter(({ category }) => categories.includes(category))
    .toReversed();
  const layers: readonly AnyOverride[] = [...ofTags, overrides];
  return {
    enabled: layers.find(({ enabled }) => enabled !== undefined)?.enabled ?? rule.enabled,
    action: layers.find(({ action }) => action !== undefined)?.action ?? rule.action,
  };
}

export function findRuleOverride(overrides: Overrides, id: string): RuleOverride | undefined {
  return overrides.rules?.find((rule) => rule.id === id);
}

/** The rule that compares the score. */
export function findThresholdRule(rules: readonly ManagedRule[]): ManagedRule | undefined {
  return rules.find(({ score_threshold }) => score_threshold !== undefined);
}

/** The highest level whose rules are not turned off by its tag. */
export function readParanoiaLevel(overrides: Overrides): number {
  return paranoiaLevels.findLast((level) => !isLevelOff(overrides, level)) ?? 0;
}

function isLevelOff({ categories = [] }: Overrides, level: number): boolean {
  return categories.some(({ category, enabled }) => category === tagOf(level) && enabled === false);
}

function tagOf(level: number): string {
  return `paranoia-level-${level}`;
}

/** Every level above is turned off; the tags up to it no longer have overrides. */
export function setParanoiaLevel(overrides: Overrides, chosen: number): Overrides {
  const edited = paranoiaLevels.reduce<Overrides>(
    (all, level) => editCategory(all, tagOf(level), { enabled: level > chosen ? false : undefined }),
    overrides,
  );
  const { categories = [] } = edited;
  return {
    ...edited,
    categories: categories.filter((each) => !isParanoiaOnly(each) || each.enabled === false),
  };
}

/** Whether the slider shows the complete override. */
export function isParanoiaOnly({ category, action }: CategoryOverride): boolean {
  return category.startsWith('paranoia-level-') && action === undefined;
}

/** The initial overrides of a ruleset: for OWASP the level with the fewest false alarms, for the others none. */
export function chooseFirstOverrides(rulesetId: string): Overrides | undefined {
  return rulesetId === owaspRulesetId ? tidyOverrides(setParanoiaLevel({}, 1)) : undefined;
}

/** The level from which the rule adds points. */
export function readLevel({ categories = [] }: ManagedRule): number {
  return paranoiaLevels.find((level) => categories.includes(`paranoia-level-${level}`)) ?? 1;
}

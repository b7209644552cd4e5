/** `execute`: runs another ruleset, with its rules changed by overrides. */
import type { Shaped } from '#shapes';
import { verdictActions } from '../actions.ts';
import { executeParameters } from '../bodies.ts';
import type {
  CategoryOverride,
  ExecuteParameters,
  Home,
  Override,
  Overrides,
  RuleOverride,
} from '../model.ts';
import { includesPlan, notEntitled } from '../plans/plans.ts';
import type { BodyField } from '../problem.ts';
import type { DeployableRuleset, RulesetContext } from './context.ts';
import { readDeployable } from './deployable.ts';

type SentParameters = Required<Shaped<typeof executeParameters>>;
type SentOverrides = Required<SentParameters['overrides']>;
type SentOverride = Pick<SentParameters['overrides'], 'action' | 'enabled' | 'sensitivity_level'>;
type SentCategory = SentOverrides['categories'][number];
type SentRuleOverride = SentOverrides['rules'][number];

export function checkExecute(
  parameters: BodyField<unknown>,
  home: Home,
  context: RulesetContext,
): ExecuteParameters | undefined {
  const field = parameters.as(executeParameters);
  if (!field.isThere() || !field.hasOnlyKnownFields()) return undefined;
  const version = field.at('version');
  if (version.value !== '') version.choice(['latest']);
  const matchedData = field.at('matched_data').read();
  const idField = field.at('id');
  const deployable = readDeployable(idField, home, context);
  if (deployable === undefined) return undefined;
  const { id, ruleset } = deployable;
  if (!includesPlan(context.plan, ruleset.plan)) {
    const { plan } = context;
    return idField.refuse('notEntitled', notEntitled('this ruleset', { plan, needed: ruleset.plan }));
  }
  const overrides = checkOverrides(field.at('overrides'), home, ruleset);
  return {
    id,
    version: 'latest',
    ...(overrides === undefined ? {} : { overrides }),
    ...(matchedData === undefined ? {} : { matched_data: matchedData }),
  };
}

function checkOverrides(
  field: BodyField<SentParameters['overrides']>,
  home: Home,
  ruleset: DeployableRuleset,
): Overrides | undefined {
  if (field.isAbsent) return undefined;
  if (home.phase !== 'http_request_firewall_managed') {
    return field.refuse('notAvailable', 'only managed rulesets can be overridden');
  }
  if (!field.hasOnlyKnownFields()) return undefined;
  if (field.keys()?.length === 0) return field.refuse('missingField', 'it must override something');
  const categories = field.at('categories').items();
  const rules = field.at('rules').items();
  return {
    ...checkOverride(field),
    ...(categories === undefined ? {} : { categories: checkCategories(categories, ruleset) }),
    ...(rules === undefined ? {} : { rules: checkRules(rules, ruleset) }),
  };
}

/** The properties that overrides of a ruleset, a category and a rule share. */
function checkOverride(field: BodyField<SentOverride>): Override {
  const action = field.at('action').choice(verdictActions);
  const enabled = field.at('enabled').read();
  const sensitivity = field.at('sensitivity_level');
  if (!sensitivity.isAbsent) sensitivity.refuse('notAvailable', 'only rulesets against floods have it');
  return {
    ...(action === undefined ? {} : { action }),
    ...(enabled === undefined ? {} : { enabled }),
  };
}

function checkCategories(
  fields: readonly BodyField<SentCategory>[],
  ruleset: DeployableRuleset,
): readonly CategoryOverride[] {
  const seen = new Set<string>();
  return fields.flatMap((field) => {
    if (!field.hasOnlyKnownFields()) return [];
    const categoryField = field.at('category');
    const override = checkOverride(field);
    const category = categoryField.read();
    if (category === undefined) return [];
    if (seen.has(category)) categoryField.refuse('duplicate', 'the category has an override already');
    seen.add(category);
    if (!ruleset.hasCategory(category)) {
      categoryField.refuse('notFound', 'no rule of the ruleset has this category');
    }
    if (field.keys()?.length === 1) field.refuse('missingField', 'it must override something');
    return [{ category, ...override }];
  });
}

function checkRules(
  fields: readonly BodyField<SentRuleOverride>[],
  ruleset: DeployableRuleset,
): readonly RuleOverride[] {
  const seen = new Set<string>();
  return fields.flatMap((field) => {
    if (!field.hasOnlyKnownFields()) return [];
    const idField = field.at('id');
    const override = checkOverride(field);
    const thresholdField = field.at('score_threshold');
    const threshold = thresholdField.read();
    const id = idField.read();
    if (id === undefined) return [];
    if (seen.has(id)) idField.refuse('duplicate', 'the rule has an override already');
    seen.add(id);
    const rule = ruleset.rule(id);
    if (rule === undefined) idField.refuse('notFound', 'the ruleset has no rule with this id');
    if (rule?.hasThreshold === false && threshold !== undefined) {
      thresholdField.refuse('notAvailable', 'the rule does not compare a score');
    }
    return [{ id, ...override, ...(threshold === undefined ? {} : { score_threshold: threshold }) }];
  });
}

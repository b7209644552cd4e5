/** Managed rulesets in the form that the checks of deploying rules use. */
import { type DeployableRuleset, type Plan, plans } from '#rulesets';
import { listCategories, managedRulesets } from './catalogue.ts';
import type { ManagedRuleset } from './managed-ruleset.ts';

const deployables = new WeakMap<ManagedRuleset, DeployableRuleset>();

export function findDeployable(id: string): DeployableRuleset | undefined {
  const ruleset = managedRulesets.get(id);
  const known = ruleset && deployables.get(ruleset);
  if (known !== undefined || ruleset === undefined) return known;
  const rules = new Map(
    ruleset.rules.map((rule) => [rule.id, { hasThreshold: rule.scoreThreshold !== undefined }]),
  );
  const categories = listCategories(ruleset);
  const deployable: DeployableRuleset = {
    phase: ruleset.phase,
    plan: findSmallestPlan(ruleset),
    rule: (ruleId) => rules.get(ruleId),
    hasCategory: (category) => categories.has(category),
  };
  deployables.set(ruleset, deployable);
  return deployable;
}

/** The smallest plan that includes the ruleset. */
export function findSmallestPlan(ruleset: ManagedRuleset): Plan {
  return plans.find((plan) => ruleset.plans.includes(plan)) ?? 'enterprise';
}

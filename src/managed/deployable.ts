/** Managed rulesets as the checks of rules that deploy them see them. */
import type { DeployableRuleset } from '#firewall';
import { type Plan, plans } from '#expressions';
import { listCategories, managedRulesets } from './catalogue.ts';
import type { ManagedRuleset } from './managed-ruleset.ts';

const deployables = new Map<string, DeployableRuleset>();

export function findDeployable(id: string): DeployableRuleset | undefined {
  const known = deployables.get(id);
  const ruleset = managedRulesets.get(id);
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
  deployables.set(id, deployable);
  return deployable;
}

/** The smallest plan that includes the ruleset. */
export function findSmallestPlan(ruleset: ManagedRuleset): Plan {
  return plans.find((plan) => ruleset.plans.includes(plan)) ?? 'enterprise';
}

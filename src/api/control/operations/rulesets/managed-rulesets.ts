/** The managed catalogue as the rulesets API shows it. */
import type { Result } from '#contract';
import { includesPlan, type RulesetSummary, type Plan } from '#rulesets';
import { type ManagedRule, type ManagedRuleset, managedRulesets, findSmallestPlan } from '#managed';

/** The managed rulesets that a plan includes. */
export function listManagedFor(plan: Plan): readonly ManagedRuleset[] {
  return [...managedRulesets.values()].filter((ruleset) => includesPlan(plan, findSmallestPlan(ruleset)));
}

export function toManagedSummary(ruleset: ManagedRuleset): RulesetSummary {
  const { id, name, description, version, lastUpdated, phase, content } = ruleset;
  return {
    id,
    name,
    description,
    source: 'firewall_managed',
    kind: 'managed',
    version,
    last_updated: lastUpdated,
    phase,
    ...(content === undefined ? {} : { content: toContentJson(content) }),
  };
}

/** Ours: whether the rules of a ruleset that are not part of the program are installed. */
function toContentJson(
  content: NonNullable<ManagedRuleset['content']>,
): NonNullable<RulesetSummary['content']> {
  return content.state === 'installed'
    ? { installed: true, version: content.version }
    : { installed: false, version: null };
}

/** The expressions of the rules are not shown. With a tag, only the rules that have it are. */
export function toManagedJson(ruleset: ManagedRuleset, tag?: string): Result<'rulesets.get'> {
  const { version, last_updated, phase, content, ...head } = toManagedSummary(ruleset);
  const rules = ruleset.rules.filter(({ categories }) => tag === undefined || categories.includes(tag));
  return {
    ...head,
    version,
    rules: rules.map((rule) => toRuleJson(rule, last_updated)),
    last_updated,
    phase,
    ...(content === undefined ? {} : { content }),
  };
}

function toRuleJson(rule: ManagedRule, last_updated: string): Result<'rulesets.get'>['rules'][number] {
  const { id, version, action, scoreIncrement, scoreThreshold, categories, description, ref, enabled } = rule;
  return {
    id,
    version,
    action,
    ...(scoreThreshold === undefined ? {} : { score_threshold: scoreThreshold }),
    categories,
    ...(scoreIncrement === undefined ? {} : { action_parameters: { increment: scoreIncrement } }),
    description,
    last_updated,
    ref,
    enabled,
  };
}

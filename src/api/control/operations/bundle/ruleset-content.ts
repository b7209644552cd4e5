/** An entry point as a client would send it, without the fields that the service adds. */
import type { Ruleset, RulesetRule } from '#rulesets';

export function toRulesetContent({ name, description, phase, rules }: Ruleset): object {
  return { name, description, phase, rules: rules.map(toRuleContent) };
}

/** The id is kept: in its original zone, it identifies the rule. A ref equal to the id is redundant. */
function toRuleContent({ version: _version, last_updated: _updated, ref, ...rule }: RulesetRule): object {
  return ref === rule.id ? rule : { ...rule, ref };
}

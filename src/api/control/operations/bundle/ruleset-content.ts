/** An entry point as a client would send it, without what the service adds. */
import type { Ruleset, RulesetRule } from '#firewall';

export function toRulesetContent({ name, description, phase, rules }: Ruleset): object {
  return { name, description, phase, rules: rules.map(toRuleContent) };
}

/** The id is kept: in the zone that it comes from, it says which rule is meant. A ref equal to the id says nothing new. */
function toRuleContent({ version: _version, last_updated: _updated, ref, ...rule }: RulesetRule): object {
  return ref === rule.id ? rule : { ...rule, ref };
}

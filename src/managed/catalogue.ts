/** The managed rulesets and their rules, by id. */
import type { ManagedRule, ManagedRuleset } from './managed-ruleset.ts';
import { exposedCredentials } from './rulesets/exposed-credentials.ts';
import { free } from './rulesets/free.ts';
import { managed } from './rulesets/managed.ts';
import { owasp } from './rulesets/owasp.ts';
import { sensitiveData } from './rulesets/sensitive-data.ts';

export const managedRulesets: ReadonlyMap<string, ManagedRuleset> = new Map(
  [managed, owasp, exposedCredentials, free, sensitiveData].map((ruleset) => [ruleset.id, ruleset]),
);

/** No two rulesets share the id of a rule. */
export const managedRules: ReadonlyMap<
  string,
  { readonly ruleset: ManagedRuleset; readonly rule: ManagedRule }
> = new Map(
  [...managedRulesets.values()].flatMap((ruleset) =>
    ruleset.rules.map((rule) => [rule.id, { ruleset, rule }] as const),
  ),
);

/** Every category of a ruleset, for overrides that name one. */
export function listCategories(ruleset: ManagedRuleset): ReadonlySet<string> {
  return new Set(ruleset.rules.flatMap(({ categories }) => categories));
}

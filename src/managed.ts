/**
 * The catalogue of managed rules: rulesets with fixed ids, whose content comes with the program, and the packages, groups
 * and rules of the previous product that they replace. It is data: nothing here judges a request, and no expression is
 * compiled before somebody asks for it.
 *
 * ```ts
 * const ruleset = managedRulesets.get('efb7b8c949ac4650a09736fc376e9aee');  // Cloudflare Managed Ruleset
 * ruleset.rules.filter(({ enabled, action }) => enabled && action === 'block');
 * replacementOf('100514');                                                  // the id of its Log4j rule
 * previousRules.get('100514').groupId;                                      // … and where it was before
 * ```
 *
 * Rules are written in the rules language, about a few places of a request in the same words (`signatures/signature.ts`),
 * so that a compiled list looks at each place once. Ids of rules follow from legacy ids (`rule-id.ts`) and never change.
 * A signature that hits an ordinary request is a bug, as is one that misses its attack: `signatures/testdata` has a pair
 * of requests at least for every rule, `test/managed` hundreds of ordinary requests and well-known disguises of attacks.
 */
export { managedParts } from './managed/compile-parts.ts';
export { deployableManaged, smallestPlan } from './managed/deployable.ts';
export { categoriesOf, managedRules, managedRulesets } from './managed/catalogue.ts';
export type { ManagedRule, ManagedRuleset } from './managed/managed-ruleset.ts';
export type { PreviousGroup, PreviousPackage, PreviousRule } from './managed/legacy/package.ts';
export {
  previousGroups,
  previousPackages,
  previousRules,
  replacedBy,
  replacementOf,
} from './managed/legacy/packages.ts';

/**
 * The catalogue of managed rules: rulesets with fixed ids, whose content is shipped with the program, and the packages,
 * groups and rules of the legacy WAF that they replace. It is data: nothing here judges a request, and expressions are
 * compiled only when they are needed (`summaries.json`; run `npm run generate` after a change of the rules).
 *
 * ```ts
 * const ruleset = managedRulesets.get(rulesetIds.managed);                  // Cloudflare Managed Ruleset
 * ruleset.rules.filter(({ enabled, action }) => enabled && action === 'block');
 * findReplacement('100514');                                                 // the id of its Log4j rule
 * legacyRules.get('100514').groupId;                                      // … and its group in the legacy WAF
 * ```
 *
 * Rules are written in the rules language. They all read the same few fields in the same spelling
 * (`signatures/signature.ts`), so that a compiled list reads each field once. Ids of rules are derived from legacy ids
 * (`rule-id.ts`) and never change. A signature that hits an ordinary request is a bug, as is one that misses its
 * attack: `signatures/testdata` has at least one pair of requests for every rule, `test/managed` hundreds of ordinary
 * requests and well-known disguises of attacks.
 */
export { managedParts } from './managed/compile-parts.ts';
export { prepareCoreRules, replaceCoreRules } from './managed/core-rules/current.ts';
export { findDeployable, findSmallestPlan } from './managed/deployable.ts';
export { listCategories, managedRules, managedRulesets } from './managed/catalogue.ts';
export type { ManagedRule, ManagedRuleset } from './managed/managed-ruleset.ts';
export { rulesetIds } from './managed/ruleset-ids.ts';
export type { LegacyGroup, LegacyPackage, LegacyRule } from './managed/legacy/package.ts';
export {
  legacyGroups,
  legacyPackages,
  legacyRules,
  findReplaced,
  findReplacement,
} from './managed/legacy/packages.ts';

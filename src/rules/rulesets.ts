/**
 * Rulesets as documents: their model, phases and actions, the checks of what clients send, and edits. No clock, no
 * storage, no randomness; the caller provides ids and times.
 *
 * ```ts
 * const checked = checkEntryPointChange(body, { phase, current }, context);
 * if (!checked.ok) return refuse(checked.problems); // each with a code, a text and a JSON pointer
 * const next = current
 *   ? changeRuleset(current, checked.value, stamp)
 *   : createRuleset(entryPointDraft({ level: 'zone', phase }, checked.value), stamp);
 * vanishedRules(current, next); // what the client may not have meant to delete
 * ```
 *
 * A ruleset is the JSON document that the API emits; an edit creates the next version of it. Checks take any parsed
 * JSON and return problems as values, several at a time; input that passes can be applied without further checks.
 */
export {
  type ChallengeKind,
  challengeKinds,
  isAtLeastAsStrong,
  type VerdictAction,
} from './rulesets/actions.ts';
export {
  type ActionParameters,
  phase,
  product,
  rule,
  ruleAddition,
  ruleContent,
  rulesetChange,
  rulesetDraft,
  ruleEdit,
} from './rulesets/bodies.ts';
export type { DeployableRuleset, RulesetContext } from './rulesets/check/context.ts';
export {
  checkEntryPointChange,
  checkRuleAddition,
  checkRuleEdit,
  checkRulesetChange,
  checkRulesetDraft,
  entryPointDraft,
} from './rulesets/check/ruleset.ts';
export { diffRulesets, vanishedRules } from './rulesets/edit/diff.ts';
export {
  addRule,
  changeRuleset,
  createRuleset,
  editRule,
  removeRule,
  restoreRuleset,
  type Stamp,
} from './rulesets/edit/edit-ruleset.ts';
export { accountScheme, type CheckedExpression, checkExpression } from './rulesets/expression.ts';
export {
  actionPrecedence,
  compareFirewallRules,
  type FirewallRuleAction,
  firewallRuleActions,
  priorityMax,
  type Product,
  products,
} from './rulesets/firewall-rules.ts';
export { findIdleSkips } from './rulesets/idle-skips.ts';
export {
  descriptionCharactersMax,
  getJudgingCpuMs,
  getJudgingSteps,
  judgingStepsMax,
  nameCharactersMax,
  ratePeriodMax,
  ratePeriods,
  zoneRulesMax,
  askedMsDefault,
  objectNameBytesMax,
  judgingCpuMsMax,
  rateScoreMax,
} from './rulesets/limits.ts';
export { expressionListKinds, type ListKind, listKinds } from './rulesets/list-kinds.ts';
export {
  type BlockParameters,
  type BlockResponse,
  type CategoryOverride,
  type EvaluatedRule,
  evaluatedRules,
  type ExecuteParameters,
  type Overrides,
  type RuleOverride,
  type Ruleset,
  type RulesetRule,
  type RulesetSummary,
  type SkipParameters,
  summaryOf,
  type AskParameters,
  type ConfigurationParameters,
  type ErrorParameters,
  type RedirectParameters,
  type RewriteParameters,
  type RouteParameters,
  type GivenValue,
  type RateLimit,
} from './rulesets/model.ts';
export { type EffectiveRule, resolveOverrides } from './rulesets/overrides.ts';
export {
  compilePagePattern,
  formatPagePattern,
  type PagePattern,
  pagePatternToExpression,
  type PageUrl,
  readPagePattern,
  listPagePatternStars,
} from './rulesets/page-rule-pattern.ts';
export {
  type EvaluatedPhase,
  evaluatedPhases,
  hasPhase,
  isEvaluatedPhase,
  isInForce,
  type Level,
  phases,
  type RulesetKind,
  rulesetKinds,
  type ChangingPhase,
  changingPhases,
} from './rulesets/phases.ts';
export { isHeaderValue } from './rulesets/written/header-fields.ts';
export { isHost, isHostWithPort } from './rulesets/written/origin-host.ts';
export { entitlementsOf } from './rulesets/plans/entitlements.ts';
export { includesPlan, notEntitled, type Plan, planCodes, plans } from './rulesets/plans/plans.ts';
export { rulesetProblemCodes } from './rulesets/problem.ts';
export {
  type AccessMode,
  accessModes,
  type AccessTarget,
  accessTargets,
  readAccessTarget,
  formatAddressKey,
  formatAsnKey,
  formatCountryKey,
  formatRangeKey,
  rangePrefixes,
} from './rulesets/tools/access-rules.ts';
export {
  defaultUrlNormalization,
  type UrlNormalization,
  urlNormalizationScopes,
  urlNormalizationTypes,
} from '#request';
export type { Checked, CodedProblem as Problem } from '#shapes';
export { errorStatusMin, bulkRedirectKey, redirectStatuses } from './rulesets/written/parameters.ts';
export { type PrepareExpressionsOptions, prepareExpressions } from './rulesets/prepare.ts';
export { toldParts } from './rulesets/written/ask-parameters.ts';
export { addQuery, leadsBack, writeLocation } from './rulesets/written/location.ts';
export { writePath, writeQuery } from './rulesets/written/rewritten-uri.ts';
export { countedAddress, countedVisitor, countingHost, readsResponse } from './rulesets/check/rate-limit.ts';

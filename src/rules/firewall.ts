/**
 * The firewall as pure functions: the model of rulesets, the checks of what clients send, and the evaluation. No clock,
 * no storage, no randomness; the caller provides ids and times.
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
  type RuleAction,
  type VerdictAction,
  verdictActions,
} from './firewall/actions.ts';
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
} from './firewall/bodies.ts';
export type { DeployableRule, DeployableRuleset, RulesetContext } from './firewall/check/context.ts';
export {
  checkEntryPointChange,
  checkRuleAddition,
  checkRuleEdit,
  checkRulesetChange,
  checkRulesetDraft,
  entryPointDraft,
} from './firewall/check/ruleset.ts';
export {
  diffRulesets,
  type FieldDiff,
  type RuleDiff,
  type RuleMove,
  type RulesetDiff,
  vanishedRules,
} from './firewall/edit/diff.ts';
export {
  addRule,
  changeRuleset,
  createRuleset,
  editRule,
  removeRule,
  restoreRuleset,
  type Stamp,
} from './firewall/edit/edit-ruleset.ts';
export {
  accountScheme,
  type CheckedExpression,
  checkExpression,
  type ExpressionContext,
  type ExpressionFault,
  type ExpressionFaultKind,
} from './firewall/expression.ts';
export {
  actionPrecedence,
  compareFirewallRules,
  type FirewallRuleAction,
  firewallRuleActions,
  type OrderedFirewallRule,
  priorityMax,
  type Product,
  products,
} from './firewall/firewall-rules.ts';
export { findIdleSkips, type IdleSkip } from './firewall/idle-skips.ts';
export {
  descriptionCharactersMax,
  getJudgingCpuMs,
  getJudgingSteps,
  judgingStepsMax,
  nameCharactersMax,
  ratePeriodMax,
  ratePeriods,
  zoneRulesMax,
} from './firewall/limits.ts';
export { expressionListKinds, type ListKind, listKinds } from './firewall/list-kinds.ts';
export {
  type BlockParameters,
  type BlockResponse,
  type CategoryOverride,
  type EvaluatedRule,
  evaluatedRules,
  type ExecuteParameters,
  type Override,
  type Overrides,
  type Position,
  type RuleAddition,
  type RuleDraft,
  type RuleEdit,
  type RuleOverride,
  type Ruleset,
  type RulesetChange,
  type RulesetDraft,
  type RulesetRule,
  type RulesetSummary,
  type SkipParameters,
  summaryOf,
} from './firewall/model.ts';
export {
  type CountedLimit,
  describeRate,
  type RateCounter,
  type RateHit,
  type RateReading,
} from './firewall/judge/rates/rate-counter.ts';
export {
  type CountedKey,
  joinRateKey,
  type RateAnswer,
  type RateReport,
  type SharedCount,
  splitRateKey,
} from './firewall/judge/rates/rate-exchange.ts';
export { sourceOfPhase } from './firewall/judge/ruleset-step.ts';
export type { RunSettings } from './firewall/judge/run.ts';
export { type EffectiveRule, type OverridableRule, resolveOverrides } from './firewall/overrides.ts';
export {
  compilePagePattern,
  formatPagePattern,
  type PagePattern,
  pagePatternToExpression,
  type PageUrl,
  readPagePattern,
} from './firewall/page-rule-pattern.ts';
export {
  entryPointKind,
  type EvaluatedPhase,
  evaluatedPhases,
  hasPhase,
  isEvaluatedPhase,
  isInForce,
  type Level,
  phases,
  type RulesetKind,
  rulesetKinds,
} from './firewall/phases.ts';
export { isHeaderValue } from './firewall/written/header-fields.ts';
export { isHost, isHostWithPort } from './firewall/written/origin-host.ts';
export { entitlementsOf } from './firewall/plans/entitlements.ts';
export { includesPlan, notEntitled, type Plan, planCodes, plans } from './firewall/plans/plans.ts';
export { rulesetProblemCodes } from './firewall/problem.ts';
export {
  type AccessMode,
  accessModes,
  type AccessTarget,
  accessTargets,
  readAccessTarget,
} from './firewall/tools/access-rules.ts';
export {
  defaultUrlNormalization,
  type UrlNormalization,
  urlNormalizationScopes,
  urlNormalizationTypes,
} from '#request';
export type { Checked, CodedProblem as Problem } from '#shapes';
export {
  type Answer,
  type Asked,
  type Change,
  describeEffect,
  describeQuestion,
  type FieldOperation,
  type GivenAnswer,
  type Question,
  type Route,
} from './firewall/judge/changes/change.ts';
export { joinJudgements } from './firewall/judge/changes/change-steps.ts';
export { findServedError } from './firewall/judge/changes/errors.ts';
export { errorStatusMin } from './firewall/written/parameters.ts';
export { findSettings, listIdleSettings } from './firewall/judge/changes/configurations.ts';
export {
  addAnswer,
  answerQuestions,
  assumeAnswer,
  failedStatusMin,
  givenStatusMin,
  listAnswers,
  listCopiedFields,
  listQuestions,
  noAnswer,
  readAnsweredAction,
  type RecordedAnswer,
} from './firewall/judge/changes/answers.ts';
export { findRoute } from './firewall/judge/changes/routes.ts';
export { findRewrite, listFieldOperations } from './firewall/judge/changes/rewrites.ts';
export {
  type ConfiguredAffinity,
  type ConfiguredLoadBalancer,
  type ConfiguredMonitor,
  type ConfiguredPool,
  type ConfiguredPoolOrigin,
  findLoadBalancer,
  keyOfOrigin,
} from './firewall/load-balancers.ts';
export { CompiledZone, compileLists, type CompileParts } from './firewall/judge/compiled-zone.ts';
export {
  type ConfiguredAccessRule,
  type ConfiguredFirewallRule,
  type ConfiguredList,
  type ConfiguredRedirect,
  type ConfiguredLockdown,
  type ConfiguredCertificate,
  type ConfiguredOrigin,
  type ConfiguredServer,
  type ConfiguredWorker,
  type ConfiguredPageRule,
  type ConfiguredPageSettings,
  type ConfiguredUserAgentRule,
  type ConfiguredZone,
  type EdgeSettings,
  type MigrationState,
  migrationStates,
  overInspectionActions,
  responseRulesActions,
  unconfirmedScoresActions,
  unconfirmedScoresDefault,
  type LegacyAction,
  legacyActions,
  type ConfiguredLegacyWaf,
  legacyDenyModes,
  type LegacyMode,
  legacySwitchModes,
  sensitivities,
  type Sensitivity,
  type OutOfForce,
  ruleOutOfForce,
  type UriOverride,
  type WorkerRoute,
  type ZoneConfiguration,
} from './firewall/judge/configuration.ts';
export {
  type AccountPart,
  type ChangedParts,
  compareAccountParts,
  emptyAccountPart,
  findListNames,
  isConcerned,
  joinParts,
  type UsedParts,
  type ZonePart,
} from './firewall/configuration/configuration-parts.ts';
export {
  type Contribution,
  type Judgement,
  type Score,
  type Source,
  sources,
  type StepReport,
  type Triggered,
  type TriggeredRate,
  type TriggeredAction,
  triggeredActions,
  type Verdict,
} from './firewall/judge/judgement.ts';
export type {
  Finding,
  FoundValue,
  ManagedCatalogue,
  OriginResponse,
  ResponseResult,
  ScoringEngine,
  ScoringOptions,
  ScoringProgram,
  ScoringResult,
} from './firewall/judge/managed-catalogue.ts';
export {
  digestRules,
  ManagedPrograms,
  type StoredSummaries,
} from './firewall/judge/programs/managed-programs.ts';
export { type PrepareExpressionsOptions, prepareExpressions } from './firewall/prepare.ts';
export {
  addExhausted,
  addUnreadable,
  inspectionLimit,
  overLimitRuleIds,
} from './firewall/judge/over-limit.ts';
export { unconfirmedNote } from './firewall/judge/scores/score-verdict.ts';
export { summarizeRules } from './firewall/judge/programs/rule-program.ts';
export {
  chooseUrlNormalization,
  edgeRuleIds,
  isStricter,
  judgeAmbiguousPath,
} from './firewall/judge/path-judgement.ts';
export { isWithheldField } from './firewall/withheld-fields.ts';

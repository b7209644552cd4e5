/**
 * The rules of a zone, compiled once for its configuration, and what they decide about a request. No clock, no storage,
 * no randomness: the same request always gets the same judgement.
 *
 * ```ts
 * const zone = new CompiledZone(configuration, parts);
 * const { verdict, triggered } = zone.judge(requestFrom(description)); // blocked by which rule, and what else acted
 * ```
 *
 * The rulesets in a configuration are documents of `#rulesets`, already checked.
 */
export {
  type CountedLimit,
  describeRate,
  type RateCounter,
  type RateHit,
  type RateReading,
} from './firewall/rates/rate-counter.ts';
export {
  type CountedKey,
  joinRateKey,
  type RateAnswer,
  type RateReport,
  type SharedCount,
  splitRateKey,
} from './firewall/rates/rate-exchange.ts';
export { sourceOfPhase } from './firewall/ruleset-step.ts';
export type { RunSettings } from './firewall/run.ts';
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
} from './firewall/changes/change.ts';
export { joinJudgements } from './firewall/changes/change-steps.ts';
export { findServedError } from './firewall/changes/errors.ts';
export { findSettings, listIdleSettings } from './firewall/changes/configurations.ts';
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
} from './firewall/changes/answers.ts';
export { findRoute } from './firewall/changes/routes.ts';
export { findRewrite, listFieldOperations } from './firewall/changes/rewrites.ts';
export {
  type ConfiguredAffinity,
  type ConfiguredLoadBalancer,
  type ConfiguredMonitor,
  type ConfiguredPool,
  type ConfiguredPoolOrigin,
  findLoadBalancer,
  keyOfOrigin,
} from './firewall/load-balancers.ts';
export { CompiledZone, compileLists, type CompileParts } from './firewall/compiled-zone.ts';
export {
  type ConfiguredAccessRule,
  type ConfiguredFirewallRule,
  type ConfiguredList,
  type ConfiguredRedirect,
  type ConfiguredLockdown,
  type ConfiguredCertificate,
  type ConfiguredOrigin,
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
  type WorkerRoute,
  type ZoneConfiguration,
} from './firewall/configuration.ts';
export {
  type AccountPart,
  compareAccountParts,
  emptyAccountPart,
  findListNames,
  isConcerned,
  joinParts,
  type UsedParts,
  type ZonePart,
} from './firewall/configuration-parts.ts';
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
} from './firewall/judgement.ts';
export type {
  Finding,
  FoundValue,
  OriginResponse,
  ResponseResult,
  ScoringEngine,
  ScoringProgram,
  ScoringResult,
} from './firewall/managed-catalogue.ts';
export { digestRules, ManagedPrograms, type StoredSummaries } from './firewall/programs/managed-programs.ts';
export { addExhausted, addUnreadable, inspectionLimit, overLimitRuleIds } from './firewall/over-limit.ts';
export { unconfirmedNote } from './firewall/scores/score-verdict.ts';
export { summarizeRules } from './firewall/programs/rule-program.ts';
export {
  chooseUrlNormalization,
  edgeRuleIds,
  isStricter,
  judgeAmbiguousPath,
} from './firewall/path-judgement.ts';
export { isWithheldField } from './firewall/withheld-fields.ts';

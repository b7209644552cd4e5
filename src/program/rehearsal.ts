/**
 * A rehearsal of a zone's migration: traffic is replayed through the current and the future configuration, and the
 * verdicts are compared. The zone itself is only read; a copy of it is migrated in a temporary control plane.
 *
 * ```ts
 * const snapshot = await readSnapshot(api, 'shop.example');             // GET requests only
 * const traffic = await openTraffic({ file: 'access.log', zoneName: snapshot.zone.name });
 * const report = await rehearse({ snapshot, traffic });
 * report.changes;                                                       // each request that is treated differently
 * writeHtmlReport(report);                                              // one self-contained page
 * ```
 *
 * Suites in the format of go-ftw, and recorded requests with a known correct verdict, are evaluated in this process or
 * sent to a server:
 *
 * ```ts
 * const rules = loadRuleDirectory('crs', { setup: undefined, values: new Map(suiteValues) });
 * const outcomes = readSuite('crs/tests').map((test) => runTest(test, rules));
 * const corpusReport = await judgeCorpus(['attacks.http'], { expected: 'block', judge: createRuleJudge(rules) });
 * ```
 *
 * All decisions are made by production code: the import and the migration of the room `control`, the judge of the room
 * `edge`.
 */
export { rehearse } from './rehearsal/rehearse.ts';
export { type MigrationConfig, type ReadApi, readSnapshot } from './rehearsal/snapshot.ts';
export { RehearsalError } from './rehearsal/rehearsal-error.ts';
export { changeKinds, changeTitles, type Outcome } from './rehearsal/outcome.ts';
export type { ComparedChange, ProvenSuggestion, RehearsalReport } from './rehearsal/report/report.ts';
export { writeHtmlReport } from './rehearsal/report/html-report.ts';
export {
  type ChangedFinding,
  type LearningReport,
  rehearseLearning,
} from './rehearsal/learning/rehearse-learning.ts';
export { createPlanJudge, type StoppingRule } from './rehearsal/plan-judge.ts';
export {
  openTraffic,
  type Traffic,
  trafficFormats,
  type TrafficFormat,
} from './rehearsal/traffic/open-traffic.ts';
export type { RecordedRequest } from './rehearsal/traffic/recorded-request.ts';
export {
  type CorpusJudge,
  type CorpusReport,
  type Count,
  type Expected,
  isCorpusFile,
  judgeCorpus,
  type LetThrough,
  listCorpusFiles,
  type WrongVerdict,
} from './rehearsal/rule-tests/corpus.ts';
export { createRuleJudge, createServerJudge } from './rehearsal/rule-tests/judges.ts';
export {
  loadInstalledRules,
  loadRuleDirectory,
  type RuleDirectoryOptions,
} from './rehearsal/rule-tests/rule-directory.ts';
export { runTest, sendTest, type TestOutcome } from './rehearsal/rule-tests/run-suite.ts';
export { listSuiteFiles, readSuite, suiteValues } from './rehearsal/rule-tests/suite.ts';

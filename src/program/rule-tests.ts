/**
 * Tests of rules: suites in the format of go-ftw, and recorded requests of which is known what should become of them. They
 * are judged in this process, as the edge reads requests, or sent to a server.
 *
 * ```ts
 * const rules = loadRuleDirectory('crs', { setup: undefined, values: new Map(suiteValues) });
 * const outcomes = readSuite('crs/tests').map((test) => runTest(test, rules));
 * const report = await judgeCorpus(['attacks.http'], { expected: 'block', judge: createRuleJudge(rules) });
 * ```
 */
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
} from './rule-tests/corpus.ts';
export { createRuleJudge, createServerJudge } from './rule-tests/judges.ts';
export {
  loadInstalledRules,
  loadRuleDirectory,
  type RuleDirectoryOptions,
} from './rule-tests/rule-directory.ts';
export { runTest, sendTest, type TestOutcome } from './rule-tests/run-suite.ts';
export { listSuiteFiles, readSuite, suiteValues } from './rule-tests/suite.ts';

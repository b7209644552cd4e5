/**
 * The rule language of ModSecurity, in which the OWASP Core Rule Set is written.
 *
 * ```ts
 * const rules = loadRules({ files: [{ name: 'my.conf', text }], readData });   // throws SecLangError with file and line
 * const transaction = new Transaction(rules, request, { engine: 'on', collections, clock });
 * runRequest(transaction);
 * transaction.matched;        // the rules that matched, with message, data and the values they matched on
 * transaction.interruption;   // the rule that stops the request, if one does
 * ```
 *
 * Versions of the Core Rule Set are installed side by side in a data directory and can be compared; one of them is in
 * force. Its text is not part of this program: an operator installs it from the Debian package, a directory or a
 * release archive.
 *
 * ```ts
 * const store = new VersionStore('data');
 * const installed = store.install(await readDebianPackage('modsecurity-crs_3.3.4-1_all.deb'));  // CrsError: file and line
 * compareVersions(store.read('3.3.4'), store.read('4.25.0'));  // rules added, removed, changed
 * store.use('4.25.0');                                         // what `store.readCurrent()` returns from now on
 * ```
 *
 * A version that cannot be loaded completely is never installed or put in force.
 */
export { compareVersions, type ChangedRule, type VersionChanges } from './seclang/crs/compare-versions.ts';
export { coreRulesFrom, type CoreRules, type RuleFiles, toRuleSource } from './seclang/crs/rule-files.ts';
export { CrsError } from './seclang/crs/problem.ts';
export { listResponseRules, listScoringRules, type ScoringRule } from './seclang/crs/scoring-rules.ts';
export { readArchive } from './seclang/crs/sources/archive.ts';
export { downloadDebianPackage, readDebianPackage } from './seclang/crs/sources/debian-package.ts';
export { readRuleDirectory } from './seclang/crs/sources/directory.ts';
export type { FoundRules } from './seclang/crs/sources/choose-files.ts';
export { type InstalledVersion, VersionStore } from './seclang/crs/version-store.ts';
export { describeRules, loadRules, loadRulesInTurns, type RuleSource } from './seclang/load-rules.ts';
export type { Rule } from './seclang/model.ts';
export type { Phase } from './seclang/phase.ts';
export { SecLangError, type SourcePlace } from './seclang/problem.ts';
export type { RuleDescription } from './seclang/rule-description.ts';
export type { RuleSet, RuleSetChoice } from './seclang/rule-set.ts';
export type { Interruption, MatchedRule, MatchedValue } from './seclang/run/matched-rule.ts';
export { PersistentCollections } from './seclang/run/persistent-collections.ts';
export { runLogging, runRequest, runResponse } from './seclang/run/run-phase.ts';
export type { SecRequest, SecResponse } from './seclang/sec-request.ts';
export { Transaction } from './seclang/run/transaction.ts';

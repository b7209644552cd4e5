/**
 * Versions of the OWASP Core Rule Set: installed side by side in a data directory, compared, and one of them in force. Its
 * text is not part of this program: an operator installs it from the Debian package, a directory or a release archive.
 *
 * ```ts
 * const store = new VersionStore('data');
 * const installed = store.install(await readDebianPackage('modsecurity-crs_3.3.4-1_all.deb'));  // CrsError: file and line
 * compareVersions(store.read('3.3.4'), store.read('4.25.0'));  // rules added, removed, changed
 * store.use('4.25.0');                                         // what `store.readCurrent()` gives from now on
 * ```
 *
 * A version that cannot be loaded whole is never installed and never put in force.
 */
export { compareVersions, type ChangedRule, type VersionChanges } from './crs/compare-versions.ts';
export { coreRulesFrom, type CoreRules, type RuleFiles, toRuleSource } from './crs/rule-files.ts';
export { CrsError } from './crs/problem.ts';
export { listResponseRules, listScoringRules, type ScoringRule } from './crs/scoring-rules.ts';
export { readArchive } from './crs/sources/archive.ts';
export { downloadDebianPackage, readDebianPackage } from './crs/sources/debian-package.ts';
export { readRuleDirectory } from './crs/sources/directory.ts';
export type { FoundRules } from './crs/sources/choose-files.ts';
export { type InstalledVersion, VersionStore } from './crs/version-store.ts';

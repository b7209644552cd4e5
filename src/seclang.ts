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
 */
export { describeRules, loadRules, loadRulesInTurns, type RuleSource } from './seclang/load-rules.ts';
export type { Rule } from './seclang/model.ts';
export type { Phase } from './seclang/phase.ts';
export { SecLangError, type Place } from './seclang/problem.ts';
export type { RuleDescription } from './seclang/rule-description.ts';
export type { RuleSet, RuleSetChoice } from './seclang/rule-set.ts';
export type { Interruption, MatchedRule, MatchedValue } from './seclang/run/matched-rule.ts';
export { PersistentCollections } from './seclang/run/persistent-collections.ts';
export { runLogging, runRequest, runResponse } from './seclang/run/run.ts';
export type { SecRequest, SecResponse } from './seclang/sec-request.ts';
export { Transaction } from './seclang/run/transaction.ts';

/** Runs the phases of a transaction: the rules of each, in the order of the files. */
import { spendSteps, suspectSteps } from '#work';
import { reportedMatchesMax } from '../limits.ts';
import type { RuleLink, LinkTest, Rule, TxTarget } from '../model.ts';
import type { Phase } from '../phase.ts';
import { createTestSet, hasTest, type TestSet } from '../prefilter.ts';
import type { WatchedValues } from '../program/watcher.ts';
import type { SecResponse } from '../sec-request.ts';
import { Template } from '../template.ts';
import { applyChain } from '../transformations/chain.ts';
import type { MatchedValue } from './matched-rule.ts';
import type { TargetValue, TargetValues } from './target-values.ts';
import type { RequestText } from './text.ts';
import type { Transaction } from './transaction.ts';

/** Phases 1 and 2. */
export function runRequest(transaction: Transaction): void {
  runPhase(transaction, 1);
  if (transaction.interruption !== undefined) return;
  transaction.takeBody();
  runPhase(transaction, 2);
}

/** Phases 3 and 4. */
export function runResponse(transaction: Transaction, response: SecResponse): void {
  transaction.takeResponse(response);
  runPhase(transaction, 3);
  if (transaction.interruption === undefined) runPhase(transaction, 4);
}

/** Phase 5, which always runs. */
export function runLogging(transaction: Transaction): void {
  runPhase(transaction, 5);
}

function runPhase(transaction: Transaction, phase: Phase): void {
  const { removals, controls } = transaction;
  const { steps, tests } = transaction.program.phases[phase];
  if (steps.length === 0 || (controls.engine === 'off' && phase !== 5)) return;
  transaction.startRule(steps[0]!.rule);
  const candidates = findCandidates(transaction, phase);
  for (let at = 0; at < steps.length; at++) {
    const test = tests[at]!;
    if (test !== -1 && !hasTest(candidates, test)) continue;
    const { rule, next } = steps[at]!;
    if (controls.engine === 'off' && phase !== 5) return;
    if (removals.isRemoved(rule) || !runRule(transaction, rule)) continue;
    if (transaction.interruption !== undefined && phase !== 5) return;
    if (rule.disruption.kind === 'allow') return;
    at = next - 1;
  }
}

/** The first tests of rules that some value of the request may match. */
function findCandidates(transaction: Transaction, phase: Phase): TestSet {
  const { targets, program } = transaction;
  if (phase > 2) return addCandidates(targets, program.phases[phase].watched, createTestSet(program.words));
  transaction.candidates ??= addCandidates(targets, program.lasting, createTestSet(program.words));
  return addCandidates(targets, program.phases[phase].watched, transaction.candidates);
}

function addCandidates(
  targets: TargetValues,
  { variables, sources }: WatchedValues,
  found: TestSet,
): TestSet {
  for (const watch of variables) {
    const values = targets.allOf(watch.variableNumber);
    if (values.length === 0) continue;
    spendSteps(values.length);
    for (const { key, text } of values) {
      const group = watch.groupFor(key);
      if (group !== undefined) text.addCandidates(found, group);
    }
  }
  for (const { source, tests } of sources)
    for (const { text } of targets.valuesOf(source)) text.addCandidates(found, tests);
  return found;
}

function runRule(transaction: Transaction, rule: Rule): boolean {
  transaction.startRule(rule);
  for (const link of rule.links) if (!matchLink(transaction, rule, link)) return false;
  report(transaction, rule);
  const { disruption } = rule;
  const stops = disruption.kind === 'deny' || disruption.kind === 'drop' || disruption.kind === 'redirect';
  if (stops && transaction.controls.engine === 'on') {
    const location =
      disruption.kind === 'redirect' ? new Template(disruption.location).expand(transaction) : '';
    transaction.interruption ??= { rule, kind: disruption.kind, status: disruption.status, location };
  }
  return true;
}

function report(transaction: Transaction, rule: Rule): void {
  if (!rule.isLogged) return;
  const { describesMatches } = transaction;
  const message = describesMatches ? new Template(rule.message).expand(transaction) : '';
  const data = describesMatches ? new Template(rule.logData).expand(transaction) : '';
  const values = transaction.matchedValues.slice(0, reportedMatchesMax);
  transaction.matched.push({ rule, message, data, values });
}

/** Whether a link matches any value. Its actions run for each value that matches. */
function matchLink(transaction: Transaction, rule: Rule, link: RuleLink): boolean {
  const { test } = link;
  if (test === undefined) {
    for (const action of link.actions) action.perform(transaction);
    return true;
  }
  const { targets, removals } = transaction;
  const removed = removals.targetsRemovedFrom(rule);
  if (removed.length > 0) return matchValues(transaction, link, test, targets.valuesWithout(test, removed));
  if (test.txTargets !== undefined) return matchTx(transaction, link, test, test.txTargets);
  let isMatched = false;
  for (const source of test.sources)
    if (matchValues(transaction, link, test, targets.valuesOf(source))) isMatched = true;
  return isMatched;
}

function matchValues(
  transaction: Transaction,
  link: RuleLink,
  test: LinkTest,
  values: readonly TargetValue[],
): boolean {
  spendSteps(values.length);
  let isMatched = false;
  const remembers = isRemembered(transaction, test);
  for (const value of values) {
    const { text } = value;
    if (remembers && !text.mayMatch(test.number)) continue;
    if (matchValue(transaction, link, test, value)) isMatched = true;
    else if (remembers) text.ruleOut(test.number);
  }
  return isMatched;
}

/** Whether the result of a test is cached with the value. */
function isRemembered({ isPlain }: Transaction, { number }: LinkTest): boolean {
  return number !== -1 && !isPlain;
}

function matchValue(transaction: Transaction, link: RuleLink, test: LinkTest, value: TargetValue): boolean {
  const { chain } = test;
  if (!test.isMultiMatch) return matchText(transaction, link, test, value, value.text.transform(chain));
  let isMatched = false;
  const seen: RequestText[] = [];
  for (const step of chain.steps) {
    const text = value.text.transform(step);
    if (seen.includes(text)) continue;
    seen.push(text);
    if (isRemembered(transaction, test) && !text.mayMatchAsItIs(test.number)) continue;
    if (matchText(transaction, link, test, value, text)) isMatched = true;
  }
  return isMatched;
}

function matchText(
  transaction: Transaction,
  link: RuleLink,
  test: LinkTest,
  { variable, key }: TargetValue,
  { value }: RequestText,
): boolean {
  suspectSteps(value.length);
  if (test.operator.test(value, transaction) === test.isNegated) return false;
  act(transaction, link, test, { name: key === '' ? variable : `${variable}:${key}`, value });
  return true;
}

function matchTx(
  transaction: Transaction,
  link: RuleLink,
  test: LinkTest,
  txTargets: readonly TxTarget[],
): boolean {
  let isMatched = false;
  for (const { key, isCount } of txTargets) {
    const stored = transaction.readTx(key);
    const written = isCount ? (stored === undefined ? '0' : '1') : stored;
    if (written === undefined) continue;
    const value = applyChain(test.chain, written);
    suspectSteps(value.length);
    if (test.operator.test(value, transaction) === test.isNegated) continue;
    isMatched = true;
    act(transaction, link, test, { name: isCount ? '&TX' : `TX:${key}`, value });
  }
  return isMatched;
}

function act(transaction: Transaction, { actions }: RuleLink, test: LinkTest, found: MatchedValue): void {
  transaction.matchedValues.push(found);
  if (test.captures && !test.isNegated) transaction.capture(test, found.value);
  for (const action of actions) action.perform(transaction);
}

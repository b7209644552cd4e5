/** Runs the rules of one phase, in the order of the files. */
import { spendSteps, suspectSteps } from '#base';
import { isHit } from '../prefilter.ts';
import { reportedMatchesMax } from '../limits.ts';
import type { Link, LinkTest, Rule } from '../model.ts';
import type { Phase } from '../phase.ts';
import type { Chain } from '../transformations/chain.ts';
import type { MatchedValue } from './matched-rule.ts';
import type { TargetValue } from './target-values.ts';
import { Template } from '../template.ts';
import type { Text } from './text.ts';
import type { Transaction } from './transaction.ts';

/** Whether operators run on every value, or only where the literals they need occur. Both match the same. */
export interface RunOptions {
  readonly isPrefiltered: boolean;
}

export function runPhase(transaction: Transaction, phase: Phase, options: RunOptions): void {
  const { ruleSet, removals, controls } = transaction;
  const steps = ruleSet.steps(phase);
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at]!;
    if ('marker' in step) continue;
    const { rule } = step;
    if (controls.engine === 'off' && phase !== 5) return;
    if (removals.isRemoved(rule)) continue;
    if (!runRule(transaction, rule, options)) continue;
    if (transaction.interruption !== undefined && phase !== 5) return;
    if (rule.disruption.kind === 'allow') return;
    if (rule.skipAfter !== undefined) at = ruleSet.markerAt(phase, rule.skipAfter) ?? at;
    else if (rule.skip > 0) at = skipRules(steps, at, rule.skip);
  }
}

function skipRules(steps: readonly object[], at: number, count: number): number {
  let left = count;
  let next = at;
  while (left > 0 && next + 1 < steps.length) {
    next++;
    if ('rule' in steps[next]!) left--;
  }
  return next;
}

function runRule(transaction: Transaction, rule: Rule, options: RunOptions): boolean {
  transaction.startRule(rule);
  for (const link of rule.links) if (!matchLink(transaction, rule, link, options)) return false;
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
  const message = new Template(rule.message).expand(transaction);
  const data = new Template(rule.logData).expand(transaction);
  const values = transaction.matchedValues.slice(0, reportedMatchesMax);
  transaction.matched.push({ rule, message, data, values });
}

/** Whether a link matches on any value. Its actions are done for each on which it does. */
function matchLink(transaction: Transaction, rule: Rule, link: Link, options: RunOptions): boolean {
  const { test } = link;
  if (test === undefined) {
    for (const action of link.actions) action.perform(transaction);
    return true;
  }
  const removed = transaction.removals.targetsRemovedFrom(rule);
  if (test.txKey !== undefined && removed.length === 0) return matchTx(transaction, link, test, test.txKey);
  const { targets, group, chain, filter, isNegated } = test;
  const isFiltered = options.isPrefiltered && filter !== -1 && !isNegated;
  if (isFiltered && group !== -1 && !transaction.targets.canMatch(test)) return false;
  let isMatched = false;
  const values = transaction.targets.list(targets, group, removed);
  spendSteps(values.length);
  for (const value of values) {
    const texts = test.isMultiMatch ? listTexts(value, chain) : [value.text.transform(chain)];
    for (const text of texts) {
      if (isFiltered && !isHit(text.hits, filter)) continue;
      suspectSteps(text.value.length);
      if (test.operator.test(text.value, transaction) === isNegated) continue;
      isMatched = true;
      act(transaction, link, test, { name: nameOf(value), value: text.value });
    }
  }
  return isMatched;
}

function matchTx(transaction: Transaction, link: Link, test: LinkTest, key: string): boolean {
  const [target] = test.targets.included;
  const stored = transaction.readTx(key);
  const value = target!.isCount ? (stored === undefined ? '0' : '1') : stored;
  if (value === undefined || test.operator.test(value, transaction) === test.isNegated) return false;
  act(transaction, link, test, { name: target!.isCount ? '&TX' : `TX:${key}`, value });
  return true;
}

function act(transaction: Transaction, { actions }: Link, test: LinkTest, found: MatchedValue): void {
  transaction.matchedValues.push(found);
  if (test.captures && !test.isNegated) storeCaptures(transaction, test, found.value);
  for (const action of actions) action.perform(transaction);
}

/** The value after each transformation that changes it. */
function listTexts({ text }: TargetValue, chain: Chain): Iterable<Text> {
  return new Set(chain.steps.map((step) => text.transform(step)));
}

function nameOf({ variable, key }: TargetValue): string {
  return key === '' ? variable : `${variable}:${key}`;
}

function storeCaptures(transaction: Transaction, { operator }: LinkTest, value: string): void {
  const groups = operator.capture(value, transaction);
  for (let index = 0; index < 10; index++) {
    const text = groups[index];
    if (text !== undefined || index < groups.length) transaction.setVariable('TX', String(index), text ?? '');
  }
}

/** The input of exceptions for an event: its rule, the matches of that rule, and the requests to its host and path. */
import type { ZoneConfiguration } from '#firewall';
import type { SecurityEvent } from '../event.ts';
import { pathCharactersKept } from '../limits.ts';
import type { FoundMatch, Judged, JudgedRule } from '../judged/judged.ts';
import { listFoundBy } from '../judged/summary.ts';
import { type ExceptedRequest, type ExceptedRule, writeExpression } from './exception-requests.ts';
import { type Exception, suggestExceptions } from './suggest-exceptions.ts';

export interface Excepted {
  readonly event: SecurityEvent;
  readonly rule: ExceptedRule;
  readonly request: ExceptedRequest;
  /** The requests to the host and path. */
  readonly expression: string;
}

export function describeExcepted(event: SecurityEvent, judged: Judged | undefined): Excepted {
  const { source, ruleId, rulesetId } = event;
  const rule = judged?.rules.find((each) => isRuleOf(each, event));
  const contributors = rule?.score?.contributions.map((each) => each.ruleId);
  const path = (judged?.path ?? event.clientRequestPath).slice(0, pathCharactersKept);
  const request = { host: event.clientRequestHTTPHost, path };
  return {
    event,
    rule: { source, ruleId, rulesetId, contributors, found: rule && listFoundBy(rule) },
    request,
    expression: writeExpression(request),
  };
}

export function isRuleOf(rule: JudgedRule, event: SecurityEvent): boolean {
  return rule.ruleId === event.ruleId && rule.rulesetId === event.rulesetId && rule.action === event.action;
}

/** The matches of the event's rule. */
export function findOwn(event: SecurityEvent, judged: Judged | undefined): readonly FoundMatch[] {
  const rule = judged?.rules.find((each) => isRuleOf(each, event));
  return rule === undefined ? [] : listFoundBy(rule);
}

/** Actions that let a request pass, a challenge that was solved before or now included: they need no exception. */
const passingActions = /^(?:allow|bypass|skip)$|(?:bypassed|solved)$/;

export function hasPassed({ action }: Pick<SecurityEvent, 'action'>): boolean {
  return passingActions.test(action);
}

/**
 * The exceptions that together let the request of an event pass: from its rule, and from all rules that would have
 * decided after it.
 */
export function listExceptions(
  event: SecurityEvent,
  judged: Judged | undefined,
  configuration: ZoneConfiguration,
): readonly Exception[] {
  // Ambiguous paths are not refused by a rule, so no exception lets them pass.
  if (hasPassed(event) || event.ruleId === 'ambiguous-path') return [];
  // An exception for the deciding rule alone would only take the request to the next one.
  const others = event.matchIndex === 0 ? (judged?.alsoDeciding ?? []) : [];
  const { rule, request } = describeExcepted(event, judged);
  return suggestExceptions([rule, ...others], request, configuration);
}

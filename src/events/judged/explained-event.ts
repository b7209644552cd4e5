/**
 * What `explain` says about an event: the shortest form, the rules that decided or would have, and how to make an exception.
 */
import type { ZoneConfiguration } from '#firewall';
import type { SecurityEvent } from '../event.ts';
import { pathCharactersKept } from '../limits.ts';
import { type Exception, type LeftOut, listLeftOut, suggestExceptions } from './exceptions.ts';
import type { FoundMatch, Judged, JudgedRule } from './judged.ts';
import { listFoundBy, summarizeRule } from './summary.ts';

export interface ExplainedEvent {
  /** One line. */
  readonly summary: string;
  readonly event: SecurityEvent;
  /** Null if only the event was stored. */
  readonly explanation: Judged | null;
  readonly exceptions: readonly Exception[];
  /** The arguments that the rule found something in, if it is a managed one that can be told to leave them out. */
  readonly arguments: readonly LeftOut[];
}

export function explainEvent(
  event: SecurityEvent,
  judged: Judged | undefined,
  configuration: ZoneConfiguration | undefined,
): ExplainedEvent {
  return {
    summary: summarizeEvent(event, judged),
    event,
    explanation: judged ?? null,
    exceptions: configuration === undefined ? [] : listExceptions(event, judged, configuration),
    arguments: event.source === 'firewallManaged' ? listLeftOut([{ found: findOwn(event, judged) }]) : [],
  };
}

/** What the rule of the event found. */
function findOwn(event: SecurityEvent, judged: Judged | undefined): readonly FoundMatch[] {
  const rule = judged?.rules.find((each) => isRuleOf(each, event));
  return rule === undefined ? [] : listFoundBy(rule);
}

export function isRuleOf(rule: JudgedRule, event: SecurityEvent): boolean {
  return rule.ruleId === event.ruleId && rule.rulesetId === event.rulesetId && rule.action === event.action;
}

function summarizeEvent(event: SecurityEvent, judged: Judged | undefined): string {
  const line = summarizeRule(event, findOwn(event, judged));
  const count = event.matchIndex === 0 ? (judged?.alsoDeciding?.length ?? 0) : 0;
  if (count === 0) return line;
  return `${line}; ${count === 1 ? '1 more rule' : `${count} more rules`} would have decided`;
}

/** Rules that let requests through, and the answers of challenges, need no exception. */
const letsThrough = /^(?:allow|bypass|skip)$|(?:solved|failed)$/;

function listExceptions(
  event: SecurityEvent,
  judged: Judged | undefined,
  configuration: ZoneConfiguration,
): readonly Exception[] {
  // No rule refuses an ambiguous path, so no exception lets it pass.
  if (letsThrough.test(event.action) || event.ruleId === 'ambiguous-path') return [];
  const rule = judged?.rules.find((each) => isRuleOf(each, event));
  const { source, ruleId, rulesetId } = event;
  const contributors = rule?.score?.contributions.map((each) => each.ruleId);
  // An exception for the rule that decided would only bring the request to the next one.
  const others = event.matchIndex === 0 ? (judged?.alsoDeciding ?? []) : [];
  const path = (judged?.path ?? event.clientRequestPath).slice(0, pathCharactersKept);
  return suggestExceptions(
    [{ source, ruleId, rulesetId, contributors, found: rule && listFoundBy(rule) }, ...others],
    { host: event.clientRequestHTTPHost, path },
    configuration,
  );
}

/**
 * The output of `explain` for an event: the shortest form, the rules that decided or would have, and how to make an
 * exception.
 */
import type { ZoneConfiguration } from '#firewall';
import type { SecurityEvent } from '../event.ts';
import type { FoundMatch, Judged } from '../judged/judged.ts';
import { summarizeRule } from '../judged/summary.ts';
import { findOwn, listExceptions } from './excepted.ts';
import { type LeftOut, listLeftOut } from './left-out.ts';
import { canBeExcepted } from './propose-exceptions.ts';
import type { Exception } from './suggest-exceptions.ts';
import { describeEvent } from './describe-event.ts';

export interface ExplainedEvent {
  /** A sentence for readers. */
  readonly sentence: string;
  /** One line, with ids. */
  readonly summary: string;
  readonly event: SecurityEvent;
  /** Null if only the event was stored. */
  readonly explanation: Judged | null;
  readonly exceptions: readonly Exception[];
  /** Whether exceptions from the event's rule alone are possible while the rule is in the configuration. */
  readonly canBeExcepted: boolean;
  /** The matches of the rule. */
  readonly found: readonly FoundMatch[];
  /** The arguments that the rule matched in, if it is a managed rule that can exclude them. */
  readonly arguments: readonly LeftOut[];
}

export function explainEvent(
  event: SecurityEvent,
  judged: Judged | undefined,
  configuration: ZoneConfiguration | undefined,
): ExplainedEvent {
  const found = findOwn(event, judged);
  return {
    sentence: describeEvent(event, judged),
    summary: summarizeEvent(event, judged),
    event,
    explanation: judged ?? null,
    exceptions: configuration === undefined ? [] : listExceptions(event, judged, configuration),
    canBeExcepted: canBeExcepted(event),
    found,
    arguments: event.source === 'firewallManaged' ? listLeftOut([{ found }]) : [],
  };
}

function summarizeEvent(event: SecurityEvent, judged: Judged | undefined): string {
  const line = summarizeRule(event, findOwn(event, judged));
  const count = event.matchIndex === 0 ? (judged?.alsoDeciding?.length ?? 0) : 0;
  if (count === 0) return line;
  return `${line}; ${count === 1 ? '1 more rule' : `${count} more rules`} would have decided`;
}

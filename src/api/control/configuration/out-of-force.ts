/** A rule is disabled because its evaluation did not finish: its event, and messages wherever the rule is shown. */
import { randomBytes } from 'node:crypto';
import { edgeCodes, entryOf, type Message } from '#contract';
import { formatTime, type SecurityEvent } from '#events';
import { ruleOutOfForce, type Source } from '#firewall';
import type { Ruleset } from '#rulesets';
import type { ZoneContext } from '../context/handler.ts';
import { listOutOfForce, type RuleEnd } from './rule-ends.ts';

/** Reported by the zone about a rule that it has disabled. */
export interface TakenOutOfForce extends Pick<RuleEnd, 'rule' | 'ends' | 'reason'> {
  readonly source: Source;
}

/** It is not about a request, so every field about a request is empty. */
export function createOutOfForceEvent(
  { rule, ends, reason, source }: TakenOutOfForce,
  nowMs: number,
): SecurityEvent {
  const rayName = `${randomBytes(8).toString('hex')}-LOCAL`;
  const ofRequest = {
    clientIP: '',
    clientIPClass: 'unknown',
    clientAsn: '',
    clientASNDescription: '',
    clientCountryName: '',
    clientRequestHTTPHost: '',
    clientRequestHTTPMethodName: '',
    clientRequestHTTPProtocol: '',
    clientRequestPath: '',
    clientRequestQuery: '',
    clientRequestScheme: '',
    clientRefererHost: '',
    clientRefererPath: '',
    clientRefererQuery: '',
    clientRefererScheme: '',
    userAgent: '',
    edgeColoName: '',
    edgeResponseStatus: 0,
    originResponseStatus: 0,
  };
  return {
    id: `${rayName}-0`,
    datetime: formatTime(nowMs),
    action: 'log',
    source,
    kind: 'firewall',
    ruleId: ruleOutOfForce,
    rulesetId: '',
    ref: ruleOutOfForce,
    description: `Rule ${rule} is out of force in this zone: its evaluation did not finish, ${ends} times (${reason}). Change the rule to put it back in force`,
    matchIndex: 0,
    rayName,
    originatorRayName: rayName,
    ...ofRequest,
    sampleInterval: 1,
    metadata: [{ key: 'out_of_force_rule_id', value: rule }],
  };
}

/** Notes on those of the shown rules that are disabled. */
function listOutOfForceNotes(
  { sql }: Pick<ZoneContext, 'sql'>,
  isShown: (end: RuleEnd) => boolean,
): readonly Message[] {
  return listOutOfForce(sql)
    .filter(isShown)
    .map(({ rule, since, ends, reason }) =>
      entryOf(edgeCodes.ruleOutOfForce, { fill: { rule, since, ends, reason } }),
    );
}

/** The entry point of the managed phase also answers for the rules that it executes. */
export function listRulesetOutOfForceNotes(
  context: Pick<ZoneContext, 'sql'>,
  { phase, rules }: Ruleset,
): readonly Message[] {
  const isManaged = phase === 'http_request_firewall_managed';
  return listOutOfForceNotes(context, ({ rule, isOwn }) =>
    isOwn ? rules.some(({ id }) => id === rule) : isManaged,
  );
}

export function addOutOfForceMessages(context: ZoneContext, shown: readonly { readonly id: string }[]): void {
  const ids = new Set(shown.map(({ id }) => id));
  for (const note of listOutOfForceNotes(context, ({ rule }) => ids.has(rule))) context.addMessage(note);
}

/**
 * What the two generations of managed rules make of the same requests, from the events that they recorded. While the new
 * rules are watched, their events say only that they matched; what they would do is read from the configuration, so that
 * an edit of it shows its effect on the requests that came before.
 */
import type { SecurityEvent } from '../../api/security-event.ts';
import type { ConfiguredRule } from './editor/configuration.ts';

/** An event of the activity log, as far as the comparison reads it. */
export type LoggedEvent = Pick<
  SecurityEvent,
  | 'id'
  | 'datetime'
  | 'action'
  | 'source'
  | 'ruleId'
  | 'rulesetId'
  | 'description'
  | 'matchIndex'
  | 'rayName'
  | 'clientIP'
  | 'clientRequestHTTPMethodName'
  | 'clientRequestPath'
  | 'clientRequestQuery'
> &
  Partial<Pick<SecurityEvent, 'metadata'>>;

/** The rule of a managed ruleset as it is in the catalogue. */
interface CatalogueRule {
  readonly action: string;
  readonly enabled: boolean;
  readonly categories?: readonly string[];
}

/** By the id of the ruleset, then by that of the rule. */
export type Catalogue = ReadonlyMap<string, ReadonlyMap<string, CatalogueRule>>;

export interface Matched {
  readonly event: LoggedEvent;
  /** What the rule does or, if it is watched, would do. `off` if the configuration turns it off. */
  readonly action: string;
}

/** `not asked`: the new rules, which run first, had already ended the request. */
type Outcome = 'block' | 'challenge' | 'log' | 'pass' | 'not asked';

export interface ComparedRequest {
  readonly ray: string;
  /** How many requests there were like this one, which is the newest. */
  readonly times: number;
  readonly request: LoggedEvent;
  readonly previous: { readonly outcome: Outcome; readonly matched: readonly Matched[] };
  readonly next: { readonly outcome: Outcome; readonly matched: readonly Matched[] };
  readonly kind: 'differs' | 'unknown' | 'agrees';
}

interface Compared {
  readonly rules: readonly ConfiguredRule[];
  readonly catalogue: Catalogue;
}

const rank = { differs: 0, unknown: 1, agrees: 2 } as const;

/**
 * Differences come first, then what could not be compared; among themselves requests stay newest first. Requests that
 * are alike, and were treated alike, are one.
 */
export function compareGenerations(events: readonly LoggedEvent[], compared: Compared): ComparedRequest[] {
  const byRay = Map.groupBy(events, ({ rayName }) => rayName);
  const requests = Array.from(byRay, ([ray, ofRequest]) => compareRequest(ray, ofRequest, compared));
  const alike = Map.groupBy(requests, describeAll);
  return Array.from(alike.values(), (each) => ({ ...each[0]!, times: each.length })).toSorted(
    (a, b) => rank[a.kind] - rank[b.kind],
  );
}

/** Equal for requests that a reader need not tell apart. */
function describeAll({ request, kind, previous, next }: ComparedRequest): string {
  const rules = [...previous.matched, ...next.matched].map(({ event, action }) => [event.ruleId, action]);
  const { clientRequestHTTPMethodName, clientRequestPath, clientRequestQuery } = request;
  return JSON.stringify([kind, clientRequestHTTPMethodName, clientRequestPath, clientRequestQuery, rules]);
}

function compareRequest(ray: string, events: readonly LoggedEvent[], compared: Compared): ComparedRequest {
  const inOrder = events.toSorted((a, b) => b.matchIndex - a.matchIndex);
  const legacy = inOrder
    .filter(({ source }) => source === 'waf')
    .map((event) => ({ event, action: event.action }));
  const managed = inOrder.filter(({ source }) => source === 'firewallManaged');
  const matched = managed.map((event) => ({ event, action: planAction(event, compared) }));
  // A visitor who has solved a challenge goes on.
  const isEnded = managed.some(({ action }) => isEnding(toOutcome(action)) && !action.endsWith('bypassed'));
  const next = { outcome: decide(matched), matched };
  const previous = { outcome: isEnded ? ('not asked' as const) : decide(legacy), matched: legacy };
  const kind = isEnded ? 'unknown' : previous.outcome === next.outcome ? 'agrees' : 'differs';
  return { ray, times: 1, request: inOrder[0]!, previous, next, kind };
}

/** The first rule that ends the request decides. */
function decide(matched: readonly Matched[]): Outcome {
  const outcomes = matched.map(({ action }) => toOutcome(action));
  return outcomes.find(isEnding) ?? (outcomes.includes('log') ? 'log' : 'pass');
}

function isEnding(outcome: Outcome): boolean {
  return outcome === 'block' || outcome === 'challenge';
}

function toOutcome(action: string): Outcome {
  if (action === 'block') return 'block';
  if (action.includes('challenge')) return 'challenge';
  return action === 'log' || action === 'simulate' ? 'log' : 'pass';
}

/** What the configuration makes of a match: the override of the rule, of its category, of the ruleset, the catalogue. */
function planAction(event: LoggedEvent, { rules, catalogue }: Compared): string {
  const { action, rulesetId, ruleId, metadata } = event;
  const known = catalogue.get(rulesetId)?.get(ruleId);
  if (known === undefined) return action;
  const execution = rules.find(
    (rule) => rule.action === 'execute' && rule.enabled && rule.action_parameters?.id === rulesetId,
  );
  if (execution === undefined) return 'off';
  const overrides = execution.action_parameters?.overrides ?? {};
  const own = overrides.rules?.find(({ id }) => id === ruleId);
  const categories = (overrides.categories ?? []).filter(({ category }) =>
    known.categories?.includes(category),
  );
  const layers = [own, ...categories.toReversed(), overrides];
  const isEnabled = layers.find((layer) => layer?.enabled !== undefined)?.enabled ?? known.enabled;
  const score = Number(metadata?.find(({ key }) => key === 'waf_score')?.value ?? Infinity);
  if (!isEnabled || score < (own?.score_threshold ?? 0)) return 'off';
  return layers.find((layer) => layer?.action !== undefined)?.action ?? known.action;
}

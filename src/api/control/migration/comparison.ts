/**
 * Compares how the two generations of managed rules treat the same requests, from the events that they recorded. While
 * the new rules are watched, their events only record that they matched; what they would do is read from the
 * configuration, so that a change of it shows its effect on earlier requests. Requests that the edge itself refuses are
 * not the result of a rule: they are counted separately and not compared.
 */
import type { Result } from '#contract';
import type { SecurityEvent } from '#events';
import { edgeRuleIds, unconfirmedNote } from '#firewall';
import { type EffectiveRule, type Overrides, resolveOverrides, type RulesetRule } from '#rulesets';
import { managedRulesets } from '#managed';

/** An event of the activity log, as far as the comparison reads it. */
export type ComparedEvent = Pick<
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
  | 'metadata'
>;

export type ExecutingRule = Pick<RulesetRule, 'action' | 'enabled' | 'action_parameters'>;

export interface Plan {
  /** The rules of the managed phase's entry point: as it is stored, or as it is about to be. */
  readonly rules: readonly ExecutingRule[];
  /** Whether scores that no detector confirms are only logged. */
  readonly logsUnconfirmed: boolean;
}

type Comparison = Pick<
  Result<'migration.compare'>,
  'requests' | 'differ' | 'unknown' | 'agree' | 'compared' | 'by_edge'
>;
type ComparedRequest = Comparison['compared'][number];
type ComparedRule = ComparedRequest['next']['rules'][number];
type Outcome = ComparedRequest['next']['outcome'];
type EdgeEvents = Comparison['by_edge'][number];

const rank = { differs: 0, unknown: 1, agrees: 2 } as const;

/**
 * The events come newest first. Differences come first, then what could not be compared; among themselves requests stay
 * newest first. Similar requests with the same treatment are merged into one; at most `comparedMax` are listed.
 */
export function compareGenerations(
  events: readonly ComparedEvent[],
  plan: Plan,
  comparedMax: number,
): Comparison {
  const byEdge = new Map<string, EdgeEvents>();
  const requests: ComparedRequest[] = [];
  const planAction = createPlanner(plan);
  for (const ofRequest of Map.groupBy(events, ({ rayName }) => rayName).values()) {
    const [own, ofRules] = splitByEdge(ofRequest);
    for (const event of own) countByEdge(byEdge, event);
    if (own.every(({ action }) => action === 'log') && ofRules.length > 0)
      requests.push(compareRequest(ofRules, planAction));
  }
  const alike = Array.from(Map.groupBy(requests, describeAll).values(), (each) => ({
    ...each[0]!,
    times: each.length,
  }));
  const count = (verdict: ComparedRequest['verdict']): number =>
    requests.filter((each) => each.verdict === verdict).length;
  return {
    requests: requests.length,
    differ: count('differs'),
    unknown: count('unknown'),
    agree: count('agrees'),
    compared: alike.toSorted((a, b) => rank[a.verdict] - rank[b.verdict]).slice(0, comparedMax),
    by_edge: [...byEdge.values()].toSorted((a, b) => b.requests - a.requests),
  };
}

/** Separates the events of the edge itself from those of rules. */
function splitByEdge(
  events: readonly ComparedEvent[],
): readonly [edge: readonly ComparedEvent[], rules: readonly ComparedEvent[]] {
  const isOfEdge = ({ ruleId }: ComparedEvent): boolean => edgeRuleIds.includes(ruleId);
  return [events.filter(isOfEdge), events.filter((event) => !isOfEdge(event))];
}

function countByEdge(counts: Map<string, EdgeEvents>, event: ComparedEvent): void {
  const { ruleId: rule_id, action, description, datetime, id: event_id } = event;
  const key = `${rule_id} ${action}`;
  const known = counts.get(key) ?? { rule_id, action, description, datetime, event_id, requests: 0 };
  counts.set(key, { ...known, requests: known.requests + 1 });
}

/** Equal for requests that a reader need not distinguish. */
function describeAll({ verdict, method, path, query, previous, next }: ComparedRequest): string {
  const rules = [...previous.rules, ...next.rules].map(({ rule_id, action }) => [rule_id, action]);
  return JSON.stringify([verdict, method, path, query, rules]);
}

type Planner = (event: ComparedEvent) => string;

function compareRequest(events: readonly ComparedEvent[], planAction: Planner): ComparedRequest {
  const inOrder = events.toSorted((a, b) => b.matchIndex - a.matchIndex);
  const legacy = inOrder.filter(({ source }) => source === 'waf').map((event) => toRule(event, event.action));
  const managed = inOrder.filter(({ source }) => source === 'firewallManaged');
  const planned = managed.map((event) => toRule(event, planAction(event)));
  // A visitor who has solved a challenge continues.
  const isEnded = managed.some(({ action }) => isEnding(toOutcome(action)) && !action.endsWith('bypassed'));
  const next = { outcome: decide(planned), rules: planned };
  const previous = { outcome: isEnded ? ('not asked' as const) : decide(legacy), rules: legacy };
  const first = inOrder[0]!;
  return {
    ray: first.rayName,
    datetime: first.datetime,
    times: 1,
    client_ip: first.clientIP,
    method: first.clientRequestHTTPMethodName,
    path: first.clientRequestPath,
    query: first.clientRequestQuery,
    verdict: isEnded ? 'unknown' : previous.outcome === next.outcome ? 'agrees' : 'differs',
    previous,
    next,
  };
}

function toRule({ id, ruleId, rulesetId, description }: ComparedEvent, action: string): ComparedRule {
  return { event_id: id, rule_id: ruleId, ruleset_id: rulesetId, description, action };
}

/** The first rule that ends the request decides. */
function decide(rules: readonly ComparedRule[]): Outcome {
  const outcomes = rules.map(({ action }) => toOutcome(action));
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

/** Returns what the configuration does with a match; `off` if it disables the rule. */
function createPlanner({ rules, logsUnconfirmed }: Plan): Planner {
  const resolved = new Map<string, ReadonlyMap<string, EffectiveRule> | undefined>();
  return ({ action, rulesetId, ruleId, description, metadata }) => {
    const catalogue = managedRulesets.get(rulesetId);
    if (catalogue === undefined) return action;
    if (!resolved.has(rulesetId)) resolved.set(rulesetId, resolveExecuted(catalogue, rules));
    const executed = resolved.get(rulesetId);
    if (executed === undefined) return 'off';
    const effective = executed.get(ruleId);
    if (effective === undefined) return action;
    const score = Number(metadata.find(({ key }) => key === 'waf_score')?.value ?? Infinity);
    if (!effective.enabled || score < (effective.scoreThreshold ?? 0)) return 'off';
    if (logsUnconfirmed && description.endsWith(unconfirmedNote)) return 'log';
    return effective.action;
  };
}

type CatalogueRuleset = NonNullable<ReturnType<typeof managedRulesets.get>>;

/** Undefined if no enabled rule executes the ruleset. */
function resolveExecuted(
  { id, rules: listed }: CatalogueRuleset,
  rules: readonly ExecutingRule[],
): ReadonlyMap<string, EffectiveRule> | undefined {
  const executing = rules.find(
    ({ action, enabled, action_parameters }) =>
      action === 'execute' && enabled && action_parameters?.['id'] === id,
  );
  if (executing === undefined) return undefined;
  return resolveOverrides(
    listed.map((rule) => ({
      ...rule,
      ...(rule.scoreThreshold === undefined ? {} : { score_threshold: rule.scoreThreshold }),
    })),
    executing.action_parameters?.['overrides'] as Overrides | undefined,
  );
}

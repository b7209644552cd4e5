/** The user's rules for a phase of a zone, or in a ruleset of the account, and the calls that change them. */
import { queryOptions } from '@tanstack/react-query';
import type { Envelope, Sent } from '#client';
import {
  type EntryPoint,
  entryPointPath,
  type EntryRule,
  placeOf,
  readEntryPoint,
  type StoredRule,
  toSentRule,
} from '../../../api/managed/entry-point.ts';
import { client, lookUp } from '../../../api/client.ts';
import { isSame, writeUnlessChanged } from '../../../api/guarded-write.ts';
import { writeIfSame } from '../../../parts/forms/save.tsx';
import { type ListedRule, moveItem, type RuleChanges } from '../listed-rule.ts';

export type RulePhase = 'http_request_firewall_custom' | 'http_ratelimit';

/** The server sets the time of the last change. */
export type RulesetRule = StoredRule & { readonly last_updated: string };

export interface RulesetPlace {
  /** The zone of the ruleset, or the viewed one: effects and previews refer to it. */
  readonly zoneId: string;
  readonly phase: RulePhase;
  /** For a ruleset of the account, which may be in force in many zones. */
  readonly ofAccount?: { readonly accountId: string; readonly rulesetId: string };
}

const ofZone = '/zones/{zone_id}/rulesets/{ruleset_id}/rules';
const ofAccount = '/accounts/{account_id}/rulesets/{ruleset_id}';

interface FoundRuleset {
  readonly result: EntryPoint | undefined;
  readonly version?: string | undefined;
}

/** Undefined if there is none yet; with the version of the zone or account in the answer. */
async function readRuleset(
  { zoneId, phase, ofAccount: owner }: RulesetPlace,
  signal?: AbortSignal,
): Promise<FoundRuleset> {
  if (owner === undefined) return readEntryPoint(zoneId, signal, phase);
  const names = { account_id: owner.accountId, ruleset_id: owner.rulesetId };
  return (await lookUp(client.get(ofAccount, { ...names, signal }))) as FoundRuleset;
}

/** Null if there is none yet. It is read again with the rest of the zone. */
export function rulesetQuery(place: RulesetPlace) {
  const { zoneId, phase, ofAccount: owner } = place;
  return queryOptions({
    queryKey: ['zones', zoneId, 'rules of', phase, owner?.rulesetId],
    queryFn: async ({ signal }) => (await readRuleset(place, signal)).result ?? null,
  });
}

export function rulesOf(ruleset: EntryPoint | null): readonly RulesetRule[] {
  return (ruleset?.rules ?? []) as readonly RulesetRule[];
}

export function toListed(rule: RulesetRule): ListedRule {
  const { id, description, expression, action, enabled, last_updated, ratelimit } = rule;
  return {
    id,
    description,
    expression,
    action,
    isPaused: !enabled,
    since: { word: 'changed', at: last_updated },
    ...(ratelimit === undefined ? {} : { rank: describeRate(ratelimit) }),
  };
}

function describeRate(rate: NonNullable<EntryRule['ratelimit']>): string {
  const { requests_per_period: requests, score_per_period: score, period } = rate;
  const most =
    requests === undefined ? `a score of ${(score ?? 0).toLocaleString()}` : requests.toLocaleString();
  return `${most} in ${period.toLocaleString()} s`;
}

/** The server's current rule; without a result if it was deleted. */
export async function readRule(place: RulesetPlace, ruleId: string): Promise<Envelope<RulesetRule>> {
  const { result, version } = await readRuleset(place);
  const rule = rulesOf(result ?? null).find(({ id }) => id === ruleId);
  return { result: rule, version } as Envelope<RulesetRule>;
}

interface Sending {
  readonly version?: string | undefined;
  readonly reason: string;
}

/** Adds it at the end; the first rule of a phase creates its ruleset. */
export async function createRule(place: RulesetPlace, rule: EntryRule, reason: string): Promise<unknown> {
  const { zoneId, phase } = place;
  const { result, version } = await readRuleset(place);
  return result === undefined
    ? client.put(entryPointPath, { ...placeOf(zoneId, phase), body: { rules: [rule] }, version, reason })
    : send(place, result.id, { add: rule, reason });
}

export function replaceRule(
  place: RulesetPlace,
  rulesetId: string,
  { rule, ...sending }: Sending & { readonly rule: StoredRule },
): Promise<unknown> {
  const { id, ...body } = toSentRule(rule);
  return send(place, rulesetId, { ruleId: id!, body, ...sending });
}

/** A rule to add; or an existing rule and its new content. */
type RuleChange =
  | { readonly add: EntryRule }
  | { readonly ruleId: string; readonly body: Sent<'rulesets.editRule'> | 'nothing' };

function send(
  { zoneId, ofAccount: owner }: RulesetPlace,
  ruleset_id: string,
  { version, reason, ...change }: RuleChange & Sending,
): Promise<unknown> {
  const guard = { ruleset_id, version, reason };
  const rule_id = 'ruleId' in change ? change.ruleId : '';
  if (owner === undefined) {
    const names = { zone_id: zoneId, ...guard };
    if ('add' in change) return client.post(ofZone, { ...names, body: change.add });
    if (change.body === 'nothing') return client.delete(`${ofZone}/{rule_id}`, { ...names, rule_id });
    return client.patch(`${ofZone}/{rule_id}`, { ...names, rule_id, body: change.body });
  }
  const names = { account_id: owner.accountId, ...guard };
  if ('add' in change) return client.post(`${ofAccount}/rules`, { ...names, body: change.add });
  if (change.body === 'nothing') return client.delete(`${ofAccount}/rules/{rule_id}`, { ...names, rule_id });
  return client.patch(`${ofAccount}/rules/{rule_id}`, { ...names, rule_id, body: change.body });
}

/** The changes of the list to displayed rules. */
export function createChanges(place: RulesetPlace, ruleset: EntryPoint | null): RuleChanges {
  const rules = rulesOf(ruleset);
  const rulesetId = ruleset?.id ?? '';
  const change = (
    ruleId: string,
    write: (seen: RulesetRule, version: string | undefined) => Promise<unknown>,
  ): Promise<unknown> => {
    const base = rules.find(({ id }) => id === ruleId)!;
    const guard = { read: () => readRule(place, ruleId), base, what: 'this rule' };
    return writeIfSame(guard, (version) => write(base, version));
  };
  return {
    pause: (ruleId, reason) =>
      change(ruleId, (seen, version) =>
        replaceRule(place, rulesetId, { rule: { ...seen, enabled: !seen.enabled }, version, reason }),
      ),
    remove: (ruleId, reason) =>
      change(ruleId, (_, version) => send(place, rulesetId, { ruleId, body: 'nothing', version, reason })),
    move: ({ from, to }, reason) =>
      writeUnlessChanged(
        async () => {
          const { result, version } = await readRuleset(place);
          if (isSame(rulesOf(result ?? null).map(pickId), rules.map(pickId))) return version;
          throw new Error(
            'Another user changed the order, so nothing was moved. This is the current order: try again.',
          );
        },
        (version) => {
          const before = moveItem(rules, from, to)[to - 1];
          const body = { position: before === undefined ? { before: '' } : { after: before.id } };
          return send(place, rulesetId, { ruleId: rules[from]!.id, body, version, reason });
        },
      ),
  };
}

function pickId({ id }: RulesetRule): string {
  return id;
}

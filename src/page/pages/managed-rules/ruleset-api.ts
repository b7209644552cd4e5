/** The entry point of the managed phase and the catalogue of managed rulesets: how they are read and changed. */
import { queryOptions } from '@tanstack/react-query';
import type { Result } from '#client';
import { client, lookUp, resultOf } from '../../api/client.ts';
import { type Version, writeUnlessChanged } from '../../api/guarded-write.ts';
import { ChangedError } from './changes.ts';
import type { Overrides } from './rulesets/overrides.ts';

export interface ExecuteRule {
  readonly id: string;
  readonly action: 'execute';
  readonly expression: string;
  readonly description?: string;
  readonly ref: string;
  readonly enabled: boolean;
  readonly action_parameters: { readonly id: string; readonly overrides?: Overrides };
}

export interface SkipTarget {
  readonly ruleset?: 'current';
  readonly rulesets?: readonly string[];
  readonly rules?: Readonly<Record<string, readonly string[]>>;
}

export interface SkipRule {
  readonly id: string;
  readonly action: 'skip';
  readonly expression: string;
  readonly description?: string;
  readonly ref: string;
  readonly enabled: boolean;
  readonly logging?: { readonly enabled: boolean };
  readonly action_parameters: SkipTarget;
}

type EntryRule = ExecuteRule | SkipRule;

type Sent<Rule> = Omit<Rule, 'id' | 'ref'>;
type SentRule = Sent<ExecuteRule> | Sent<SkipRule>;

export interface EntryPoint {
  readonly id: string;
  readonly version: string;
  readonly last_updated: string;
  readonly rules: readonly EntryRule[];
}

export type ManagedRuleset = Result<'rulesets.list'>[number];

export const managedPhase = 'http_request_firewall_managed';

function entryPointPath(zoneId: string): string {
  return `/zones/${zoneId}/rulesets/phases/${managedPhase}/entrypoint`;
}

/** Null while the zone has none. The migration's pages read it under the same key. */
export function entryPointQuery(zoneId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'migration', 'entry-point'],
    queryFn: async ({ signal }) =>
      (await lookUp(client.ask<EntryPoint>('GET', entryPointPath(zoneId), { signal }))).result ?? null,
  });
}

/** Those that the zone can deploy and that judge requests. */
export function rulesetsQuery(zoneId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'managed-rulesets'],
    async queryFn({ signal }) {
      const rulesets = await resultOf(client.get('/zones/{zone_id}/rulesets', { zone_id: zoneId, signal }));
      return rulesets.filter((ruleset) => ruleset.kind === 'managed' && ruleset.phase === managedPhase);
    },
    staleTime: 60_000,
  });
}

/** The catalogue changes only with the program. */
export function catalogueQuery(zoneId: string, rulesetId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'managed-ruleset', rulesetId],
    queryFn: ({ signal }) =>
      resultOf(
        client.get('/zones/{zone_id}/rulesets/{ruleset_id}', {
          zone_id: zoneId,
          ruleset_id: rulesetId,
          signal,
        }),
      ),
    staleTime: 600_000,
  });
}

/** One change of the entry point. */
export type Change =
  | { readonly kind: 'add'; readonly rule: SentRule }
  | { readonly kind: 'edit'; readonly seen: EntryRule; readonly rule: SentRule }
  | { readonly kind: 'delete'; readonly seen: EntryRule };

/**
 * Sends the change unless the entry point has another version than the reader saw. Only the rule in question is sent:
 * what somebody else does to the others at the same moment stays.
 */
export async function changeEntryPoint(
  zoneId: string,
  seen: EntryPoint | null,
  change: Change,
): Promise<readonly string[]> {
  const look = async (): Promise<Version> => {
    const { result, version } = await lookUp(client.ask<EntryPoint>('GET', entryPointPath(zoneId)));
    if (result?.version === seen?.version && result?.id === seen?.id) return version;
    throw new ChangedError('the managed rulesets of this site');
  };
  const { messages } = await writeUnlessChanged(look, (version) => send(zoneId, seen, { change, version }));
  return messages.map(({ message }) => message);
}

function send(
  zoneId: string,
  current: EntryPoint | null,
  { change, version }: { readonly change: Change; readonly version: Version },
) {
  if (current === null) {
    const body = { rules: change.kind === 'add' ? [change.rule] : [] };
    return client.ask('PUT', entryPointPath(zoneId), { body, version });
  }
  const rules = `/zones/${zoneId}/rulesets/${current.id}/rules`;
  switch (change.kind) {
    case 'add':
      return client.ask('POST', rules, {
        body: { ...change.rule, ...placeOf(change.rule, current) },
        version,
      });
    case 'edit':
      return client.ask('PATCH', `${rules}/${change.seen.id}`, {
        body: { ...change.rule, ref: change.seen.ref },
        version,
      });
    case 'delete':
      return client.ask('DELETE', `${rules}/${change.seen.id}`, { version });
  }
}

/** A skip rule acts only on execute rules after it. */
function placeOf(rule: SentRule, { rules }: EntryPoint): { position?: { before: string } } {
  const first = rules.find(({ action }) => action === 'execute');
  return rule.action === 'skip' && first !== undefined ? { position: { before: first.id } } : {};
}

/** The rule as it is sent back, without what the server adds. */
export function toSentExecute({
  expression,
  description,
  enabled,
  action_parameters,
}: ExecuteRule): Sent<ExecuteRule> {
  const { id, overrides } = action_parameters;
  return {
    action: 'execute',
    expression,
    ...(description === undefined ? {} : { description }),
    enabled,
    action_parameters: { id, ...(overrides === undefined ? {} : { overrides }) },
  };
}

export function toSentSkip(rule: SkipRule): Sent<SkipRule> {
  const { expression, description, enabled, logging, action_parameters } = rule;
  return {
    action: 'skip',
    expression,
    ...(description === undefined ? {} : { description }),
    enabled,
    ...(logging === undefined ? {} : { logging }),
    action_parameters,
  };
}

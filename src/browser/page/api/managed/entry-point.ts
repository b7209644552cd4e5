/** The entry points of phases: in the managed one, the rules that execute managed rulesets, and those that skip some. */
import { queryOptions } from '@tanstack/react-query';
import type { Result, Sent } from '#client';
import { client, lookUp } from '../client.ts';
import { keyOf, read } from '../read.ts';

export const managedPhase = 'http_request_firewall_managed';

/** A rule without an id is not stored yet. */
export type EntryRule = Omit<Sent<'rulesets.addRule'>, 'position'> & { readonly enabled: boolean };
export type StoredRule = EntryRule & { readonly id: string };
export type EntryPoint = Omit<Result<'rulesets.get'>, 'rules'> & { readonly rules: readonly StoredRule[] };
export type RuleParameters = NonNullable<EntryRule['action_parameters']>;

export const entryPointPath = '/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint';

export function placeOf(zone_id: string, ruleset_phase: string = managedPhase) {
  return { zone_id, ruleset_phase };
}

/** Undefined if there is none yet; with the version of the zone in the answer. */
export async function readEntryPoint(zoneId: string, signal?: AbortSignal, phase?: string) {
  const { result, version } = await lookUp(client.get(entryPointPath, { ...placeOf(zoneId, phase), signal }));
  return { result: result as EntryPoint | undefined, version };
}

/** Null if there is none yet. */
export function entryPointQuery(zoneId: string) {
  return queryOptions({
    queryKey: [...keyOf(entryPointPath, placeOf(zoneId)), 'or-none'],
    queryFn: async ({ signal }) => (await readEntryPoint(zoneId, signal)).result ?? null,
  });
}

/** The names and default effects of a managed ruleset's rules; they only change with the program. */
export function catalogueQuery(zone_id: string, ruleset_id: string) {
  return {
    ...read('/zones/{zone_id}/rulesets/{ruleset_id}', { zone_id, ruleset_id }),
    staleTime: 'static' as const,
  };
}

/** Without the fields that the server sets. Ids are kept, so that a changed rule keeps its identity. */
export function toSentRule(rule: EntryRule): EntryRule {
  const {
    version: _version,
    last_updated: _updated,
    id = '',
    ref = '',
    ...sent
  } = rule as EntryRule & { readonly version?: string; readonly last_updated?: string };
  return { ...sent, ...(id === '' ? {} : { id }), ...(ref === '' ? {} : { ref }) };
}

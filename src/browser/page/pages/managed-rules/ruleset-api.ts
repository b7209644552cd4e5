/** The managed rulesets that a zone can deploy, and changes of its entry point. */
import { queryOptions } from '@tanstack/react-query';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { type SeenVersion, writeUnlessChanged } from '../../api/guarded-write.ts';
import {
  type EntryPoint,
  entryPointPath,
  type EntryRule,
  managedPhase,
  placeOf,
  readEntryPoint,
  type StoredRule,
  toSentRule,
} from '../../api/managed/entry-point.ts';
import { keyOf } from '../../api/read.ts';
import { ChangedElsewhere } from '../../parts/forms/save.tsx';

export type ManagedRuleset = Result<'rulesets.list'>[number];

/** Those that the zone can deploy and that evaluate requests. */
export function rulesetsQuery(zone_id: string) {
  const path = '/zones/{zone_id}/rulesets';
  return queryOptions({
    queryKey: [...keyOf(path, { zone_id }), 'managed'],
    async queryFn({ signal }) {
      const rulesets = await resultOf(client.get(path, { zone_id, signal }));
      return rulesets.filter(({ kind, phase }) => kind === 'managed' && phase === managedPhase);
    },
    staleTime: 60_000,
  });
}

/** One change of the entry point. Without a previous rule, one is added; without a new one, it is deleted. */
export interface EntryPointChange {
  readonly seen?: StoredRule | undefined;
  readonly rule?: EntryRule;
}

/**
 * Sends the change unless the entry point has another version than the reader saw. Only this rule is sent: concurrent
 * changes to the others are kept.
 */
export function changeEntryPoint(zoneId: string, seen: EntryPoint | null, change: EntryPointChange) {
  return writeUnlessChanged(
    async () => {
      const { result, version } = await readEntryPoint(zoneId);
      if (result?.version === seen?.version && result?.id === seen?.id) return version;
      throw new ChangedElsewhere('the managed rulesets of this site', result ?? null);
    },
    (version) => sendChange(zoneId, seen, { ...change, version }),
  );
}

/** Turns on the current version of a rule, whatever else has changed in it. */
export async function turnOnAgain(zoneId: string, ruleId: string) {
  const { result, version } = await readEntryPoint(zoneId);
  const seen = result?.rules.find(({ id }) => id === ruleId);
  if (result === undefined || seen === undefined)
    throw new ChangedElsewhere('the managed rulesets of this site', undefined);
  return await sendChange(zoneId, result, { seen, rule: { ...seen, enabled: true }, version });
}

export function sendChange(
  zone_id: string,
  current: EntryPoint | null,
  { seen, rule, version }: EntryPointChange & { readonly version: SeenVersion },
) {
  if (current === null) {
    const body = { rules: rule === undefined ? [] : [rule] };
    return client.put(entryPointPath, { ...placeOf(zone_id), body, version });
  }
  const rules = '/zones/{zone_id}/rulesets/{ruleset_id}/rules';
  const names = { zone_id, ruleset_id: current.id, version };
  if (seen === undefined)
    return client.post(rules, { ...names, body: { ...rule!, ...positionOf(rule!, current) } });
  if (rule === undefined) return client.delete(`${rules}/{rule_id}`, { ...names, rule_id: seen.id });
  const { id: _, ...body } = toSentRule({ ...rule, ref: seen.ref ?? '' });
  return client.patch(`${rules}/{rule_id}`, { ...names, rule_id: seen.id, body });
}

/** A skip rule acts only on execute rules after it. */
function positionOf(rule: EntryRule, { rules }: EntryPoint): { position?: { before: string } } {
  const first = rules.find(({ action }) => action === 'execute');
  return rule.action === 'skip' && first !== undefined ? { position: { before: first.id } } : {};
}

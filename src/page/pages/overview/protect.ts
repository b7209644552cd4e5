/**
 * Protects a site in three steps, each of which can be undone: an origin, a plan that has managed rules, and managed rules.
 * What was there before is kept in this browser until it is undone. Undoing leaves alone what someone else has changed
 * since.
 */
import { ifFound } from '#client';
import { client, resultOf } from '../../api/client.ts';
import type { Plan } from '../../api/types.ts';
import { managedRulesetId } from '../../api/managed-rulesets.ts';
import { type Origin, toOrigin, writeOrigin } from '../origins.ts';
import type { MigrationStatus } from './protection.ts';

export interface Wish {
  readonly originUrl: string;
  readonly plan: Plan;
}

/** What was done, with what was there before. */
export type Done =
  | { readonly step: 'origin'; readonly before: Origin | null; readonly after: Origin }
  | { readonly step: 'plan'; readonly before: Plan; readonly after: Plan }
  | { readonly step: 'legacy rules' }
  | { readonly step: 'ruleset'; readonly path: string };

/** Calls `onDone` after each step, so that what was done is known even if a later step fails. */
export async function protect(zoneId: string, wish: Wish, onDone: (done: Done) => void): Promise<void> {
  const before = await getOrigin(zoneId);
  if (before === null || writeOrigin(before) !== wish.originUrl) {
    // The last step turns on the managed rules, of the plan that the zone has by then.
    const more = before?.url === undefined ? {} : before;
    const body = { origin: toOrigin(wish.originUrl, more), protect: false };
    const { result } = await client.put('/zones/{zone_id}/edge', { zone_id: zoneId, body });
    onDone({ step: 'origin', before, after: result.origin! });
  }
  const plan = await getPlan(zoneId);
  if (plan !== wish.plan) {
    await changePlan(zoneId, wish.plan);
    onDone({ step: 'plan', before: plan, after: wish.plan });
  }
  await turnOnManagedRules(zoneId, onDone);
}

async function turnOnManagedRules(zoneId: string, onDone: (done: Done) => void): Promise<void> {
  const status = await getMigrationStatus(zoneId);
  if (status.old_waf_status === 'enabled' || status.new_waf_status === 'enabled') return;
  if (status.migration_state !== 'complete') {
    await switchLegacyRules(zoneId, 'on');
    onDone({ step: 'legacy rules' });
    return;
  }
  onDone({ step: 'ruleset', path: await executeRuleset(zoneId) });
}

/** The path of the rule that executes the managed ruleset. */
async function executeRuleset(zone_id: string): Promise<string> {
  const place = { zone_id, ruleset_phase: 'http_request_firewall_managed' };
  const entryPoint = '/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint';
  const rule = { action: 'execute', expression: 'true', action_parameters: { id: managedRulesetId } };
  const found = await ifFound(client.get(entryPoint, place));
  const { result } =
    found === undefined
      ? await client.put(entryPoint, { ...place, body: { rules: [rule] } })
      : await client.post('/zones/{zone_id}/rulesets/{ruleset_id}/rules', {
          zone_id,
          ruleset_id: found.result.id,
          body: rule,
        });
  const added = result!.rules.findLast(({ action_parameters }) => {
    const { id } = (action_parameters ?? {}) as { readonly id?: string };
    return id === managedRulesetId;
  });
  return `/zones/${zone_id}/rulesets/${result!.id}/rules/${added!.id}`;
}

/** In reverse. What is left, because it has changed since, comes back as words. */
export async function undo(
  zoneId: string,
  done: readonly Done[],
  onUndone: (left: readonly Done[]) => void,
): Promise<readonly string[]> {
  const kept: string[] = [];
  const left = [...done];
  while (left.length > 0) {
    const reason = await undoStep(zoneId, left.at(-1)!);
    if (reason !== undefined) kept.push(reason);
    left.pop();
    onUndone([...left]);
  }
  return kept;
}

async function undoStep(zoneId: string, done: Done): Promise<string | undefined> {
  switch (done.step) {
    case 'origin': {
      const origin = await getOrigin(zoneId);
      if (origin === null || writeOrigin(origin) !== writeOrigin(done.after))
        return 'The origin was changed since and stays as it is.';
      await client.put('/zones/{zone_id}/edge', { zone_id: zoneId, body: { origin: done.before } });
      return undefined;
    }
    case 'plan':
      if ((await getPlan(zoneId)) !== done.after) return 'The plan was changed since and stays as it is.';
      await changePlan(zoneId, done.before);
      return undefined;
    case 'legacy rules': {
      const { migration_state } = await getMigrationStatus(zoneId);
      if (migration_state !== 'start')
        return 'The zone is moving to managed rulesets; its managed rules stay on.';
      await switchLegacyRules(zoneId, 'off');
      return undefined;
    }
    case 'ruleset':
      await ifFound(client.ask('DELETE', done.path));
      return undefined;
  }
}

async function getOrigin(zoneId: string): Promise<Origin | null> {
  return (await resultOf(client.get('/zones/{zone_id}/edge', { zone_id: zoneId }))).origin;
}

function getMigrationStatus(zoneId: string): Promise<MigrationStatus> {
  return resultOf(client.get('/zones/{zone_id}/waf_migration/status', { zone_id: zoneId }));
}

function switchLegacyRules(zoneId: string, value: 'on' | 'off'): Promise<unknown> {
  const setting = { zone_id: zoneId, setting_id: 'waf' };
  return client.patch('/zones/{zone_id}/settings/{setting_id}', { ...setting, body: { value } });
}

async function getPlan(zoneId: string): Promise<Plan> {
  return (await resultOf(client.get('/zones/{zone_id}', { zone_id: zoneId }))).plan.legacy_id;
}

function changePlan(zoneId: string, plan: Plan): Promise<unknown> {
  return client.put('/zones/{zone_id}/subscription', { zone_id: zoneId, body: { rate_plan: { id: plan } } });
}

const storageKey = (zoneId: string): string => `gatehouse-protected-${zoneId}`;

export function readDone(zoneId: string): readonly Done[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(zoneId)) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

export function writeDone(zoneId: string, done: readonly Done[]): void {
  if (done.length === 0) localStorage.removeItem(storageKey(zoneId));
  else localStorage.setItem(storageKey(zoneId), JSON.stringify(done));
}

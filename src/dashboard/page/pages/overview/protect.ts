/**
 * Protects a site in three steps, each of which can be undone: an origin, a plan that has managed rules, and managed rules.
 * What was there before is kept in this browser until it is undone. Undoing leaves alone what someone else has changed
 * since.
 */
import { ApiError } from '../../api/api-error.ts';
import { callApi, get } from '../../api/client.ts';
import type { Plan, Zone } from '../../api/types.ts';
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

const phase = 'http_request_firewall_managed';

/** Calls `onDone` after each step, so that what was done is known even if a later step fails. */
export async function protect(zoneId: string, wish: Wish, onDone: (done: Done) => void): Promise<void> {
  const root = `/zones/${zoneId}`;
  const { origin: before } = await get<{ readonly origin: Origin | null }>(`${root}/edge`);
  if (before === null || writeOrigin(before) !== wish.originUrl) {
    // The last step turns on the managed rules, of the plan that the zone has by then.
    const more = before === null || 'worker' in before ? {} : before;
    const body = { origin: toOrigin(wish.originUrl, more), protect: false };
    const { result } = await callApi<{ readonly origin: Origin }>('PUT', `${root}/edge`, { body });
    onDone({ step: 'origin', before, after: result.origin });
  }
  const plan = await getPlan(zoneId);
  if (plan !== wish.plan) {
    await changePlan(zoneId, wish.plan);
    onDone({ step: 'plan', before: plan, after: wish.plan });
  }
  await turnOnManagedRules(root, onDone);
}

async function turnOnManagedRules(root: string, onDone: (done: Done) => void): Promise<void> {
  const status = await get<MigrationStatus>(`${root}/waf_migration/status`);
  if (status.old_waf_status === 'enabled' || status.new_waf_status === 'enabled') return;
  if (status.migration_state !== 'complete') {
    await callApi('PATCH', `${root}/settings/waf`, { body: { value: 'on' } });
    onDone({ step: 'legacy rules' });
    return;
  }
  onDone({ step: 'ruleset', path: await executeRuleset(`${root}/rulesets`) });
}

interface Ruleset {
  readonly id: string;
  readonly rules?: readonly { readonly id: string; readonly action_parameters?: { readonly id?: string } }[];
}

/** The path of the rule that executes the managed ruleset. */
async function executeRuleset(rulesets: string): Promise<string> {
  const entryPoint = `${rulesets}/phases/${phase}/entrypoint`;
  const rule = { action: 'execute', expression: 'true', action_parameters: { id: managedRulesetId } };
  const { result } = (await has(entryPoint))
    ? await callApi<Ruleset>('POST', `${rulesets}/${(await get<Ruleset>(entryPoint)).id}/rules`, {
        body: rule,
      })
    : await callApi<Ruleset>('PUT', entryPoint, { body: { rules: [rule] } });
  const added = result.rules?.findLast(({ action_parameters }) => action_parameters?.id === managedRulesetId);
  return `${rulesets}/${result.id}/rules/${added!.id}`;
}

async function has(path: string): Promise<boolean> {
  try {
    await get(path);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
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
  const root = `/zones/${zoneId}`;
  switch (done.step) {
    case 'origin': {
      const { origin } = await get<{ readonly origin: Origin | null }>(`${root}/edge`);
      if (origin === null || writeOrigin(origin) !== writeOrigin(done.after))
        return 'The origin was changed since and stays as it is.';
      await callApi('PUT', `${root}/edge`, { body: { origin: done.before } });
      return undefined;
    }
    case 'plan':
      if ((await getPlan(zoneId)) !== done.after) return 'The plan was changed since and stays as it is.';
      await changePlan(zoneId, done.before);
      return undefined;
    case 'legacy rules': {
      const { migration_state } = await get<MigrationStatus>(`${root}/waf_migration/status`);
      if (migration_state !== 'start')
        return 'The zone is moving to managed rulesets; its managed rules stay on.';
      await callApi('PATCH', `${root}/settings/waf`, { body: { value: 'off' } });
      return undefined;
    }
    case 'ruleset':
      try {
        await callApi('DELETE', done.path);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
      return undefined;
  }
}

async function getPlan(zoneId: string): Promise<Plan> {
  return (await get<Zone>(`/zones/${zoneId}`)).plan.legacy_id;
}

function changePlan(zoneId: string, plan: Plan): Promise<unknown> {
  return callApi('PUT', `/zones/${zoneId}/subscription`, { body: { rate_plan: { id: plan } } });
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

/**
 * The steps of protecting a site, as requests to the API, with descriptions before and after, and how each is undone.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '#rulesets';
import { rulesetIds } from '#managed';
import type { Result } from '#contract';
import type { ZoneFacts } from '../../context/directory.ts';
import type { PlannedRequest } from '../several-objects.ts';
import { managedPhase, type ZoneState } from './zone-state.ts';

export type Origin = NonNullable<Result<'edge.get'>['origin']>;
export type Undo = NonNullable<Result<'protection.protect'>['steps'][number]['undo']>;

export interface PlannedStep {
  readonly will: string;
  readonly did: string;
  /** Undefined if nothing needs to be done. */
  readonly change?: {
    readonly request: PlannedRequest;
    /** Takes the result of the request. */
    readonly getUndo: (result: unknown) => Undo;
  };
}

/** In the notation for people: a URL, or `worker:NAME`. */
export function writeOrigin({ url, worker }: Origin): string {
  return url ?? `worker:${worker}`;
}

/** How to connect to a server does not change unless it is given. */
export function planOrigin(zone: ZoneFacts, { origin: before }: ZoneState, given: Origin): PlannedStep {
  const origin = given.worker === undefined && before?.url !== undefined ? { ...before, ...given } : given;
  const to = writeOrigin(origin);
  if (before !== null && isDeepStrictEqual(origin, before))
    return { will: `Requests to ${zone.name} still go to ${to}.`, did: `requests go to ${to} already` };
  return {
    will: `Requests to ${zone.name} go to ${to}.`,
    did: before === null ? `requests go to ${to}` : `requests go to ${to} instead of ${writeOrigin(before)}`,
    change: {
      request: putOrigin(zone, origin),
      getUndo: (result) => ({
        step: 'origin',
        origin_before: before,
        origin_after: (result as Result<'edge.update'>).origin!,
      }),
    },
  };
}

export function planSubscription(zone: ZoneFacts, plan: Plan): PlannedStep {
  const { plan: before } = zone;
  if (plan === before) return { will: `The plan stays ${plan}.`, did: `the plan is ${plan}` };
  return {
    will: `The plan becomes ${plan}.`,
    did: `the plan is ${plan} instead of ${before}`,
    change: {
      request: putPlan(zone, plan),
      getUndo: () => ({ step: 'plan', plan_before: before, plan_after: plan }),
    },
  };
}

/**
 * `rules` are those in force afterwards. Managed rulesets check requests on their own, so a zone whose legacy rules are
 * off moves to them. Legacy rules are used where the owner turned them on, and where an obstacle prevents the
 * migration.
 */
export function planManagedRules(
  zone: ZoneFacts,
  { migration, canMigrate, entryPoint }: ZoneState,
  plan: Plan,
): PlannedStep & { readonly rules: string } {
  const isOn = 'Managed rules are already on.';
  if (migration.new_waf_status === 'enabled') {
    const rules = 'the managed rulesets that the zone deploys';
    return { rules, will: isOn, did: 'managed rulesets are already on' };
  }
  const legacyRules = 'the legacy managed rules';
  if (migration.old_waf_status === 'enabled')
    return { rules: legacyRules, will: isOn, did: `${legacyRules} are already on` };
  const will = 'Managed rules are turned on: they block known attacks from the next request on.';
  if (plan === 'free') {
    const rules = 'the Free Managed Ruleset';
    const request = executeRuleset(zone, rulesetIds.free, entryPoint?.id);
    return { rules, will, did: `deployed ${rules}`, change: { request, getUndo: findAddedRule } };
  }
  const rules = 'the Cloudflare Managed Ruleset';
  const id = rulesetIds.managed;
  if (migration.migration_state === 'complete') {
    const request = executeRuleset(zone, id, entryPoint?.id);
    return { rules, will, did: `deployed ${rules}`, change: { request, getUndo: findAddedRule } };
  }
  if (!canMigrate) {
    const change = {
      request: switchLegacyRules(zone, 'on'),
      getUndo: () => ({ step: 'legacy rules' as const }),
    };
    const why = 'the zone cannot migrate yet: see gatehouse migrate status';
    return { rules: legacyRules, will, did: `turned ${legacyRules} on: ${why}`, change };
  }
  return {
    rules,
    will: `${will} The zone leaves ${legacyRules}, which are off, for good.`,
    did: `deployed ${rules}; ${legacyRules}, which were off, are gone for good`,
    change: { request: migrateTo(zone, id, entryPoint), getUndo: findAddedRule },
  };
}

function findAddedRule(result: unknown): Undo {
  const { id, rules } = result as NonNullable<Result<'rulesets.addRule'>>;
  return { step: 'ruleset', ruleset_id: id, rule_id: rules.at(-1)!.id };
}

/** The request; or what is kept, and why; or nothing, if it is already undone. */
export function planUndo(
  zone: ZoneFacts,
  { origin, migration, entryPoint }: ZoneState,
  undo: Undo,
): PlannedRequest | string | undefined {
  switch (undo.step) {
    case 'origin': {
      const { origin_before: before = null, origin_after: after } = undo;
      const isSame = origin !== null && after !== undefined && writeOrigin(origin) === writeOrigin(after);
      return isSame ? putOrigin(zone, before) : 'The origin has changed since and stays as it is.';
    }
    case 'plan':
      return zone.plan === undo.plan_after
        ? putPlan(zone, undo.plan_before ?? 'free')
        : 'The plan has changed since and stays as it is.';
    case 'legacy rules':
      return migration.migration_state === 'start'
        ? switchLegacyRules(zone, 'off')
        : 'The zone is moving to managed rulesets; its managed rules stay on.';
    case 'ruleset': {
      const { ruleset_id: ruleset, rule_id: rule } = undo;
      const isThere = entryPoint?.id === ruleset && entryPoint?.rules.some(({ id }) => id === rule);
      if (isThere !== true) return undefined;
      return { method: 'DELETE', path: `/zones/${zone.id}/rulesets/${ruleset}/rules/${rule}` };
    }
  }
}

/** Managed rules are a separate step. */
function putOrigin({ id }: ZoneFacts, origin: Origin | null): PlannedRequest {
  return { method: 'PUT', path: `/zones/${id}/edge`, body: { origin, protect: false } };
}

function putPlan({ id }: ZoneFacts, plan: Plan): PlannedRequest {
  return { method: 'PUT', path: `/zones/${id}/subscription`, body: { rate_plan: { id: plan } } };
}

function switchLegacyRules({ id }: ZoneFacts, value: 'on' | 'off'): PlannedRequest {
  return { method: 'PATCH', path: `/zones/${id}/settings/waf`, body: { value } };
}

function executeRuleset(
  { id }: ZoneFacts,
  ruleset: string,
  entryPointId: string | undefined,
): PlannedRequest {
  const rule = writeExecuteRule(ruleset);
  return entryPointId === undefined
    ? { method: 'PUT', path: entryPointPath(id), body: { rules: [rule] } }
    : { method: 'POST', path: `/zones/${id}/rulesets/${entryPointId}/rules`, body: rule };
}

/** Rules that were prepared for the migration are kept, before the others. */
function migrateTo({ id }: ZoneFacts, ruleset: string, before: ZoneState['entryPoint']): PlannedRequest {
  return {
    method: 'PUT',
    path: `${entryPointPath(id)}?waf_migration=pending&phase_two=1`,
    body: { rules: [...(before?.rules ?? []), writeExecuteRule(ruleset)] },
  };
}

function entryPointPath(zoneId: string): string {
  return `/zones/${zoneId}/rulesets/phases/${managedPhase}/entrypoint`;
}

function writeExecuteRule(ruleset: string): object {
  return {
    action: 'execute',
    expression: 'true',
    description: 'added when the site was protected',
    action_parameters: { id: ruleset },
  };
}

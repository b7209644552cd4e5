/** Operations on URI-based overrides. */
import { pointerTo } from '#shapes';
import { legacyGroups, legacyRules } from '#managed';
import {
  entryOf,
  fault,
  type InputOf,
  migrationMessageCodes,
  ok,
  pageOf,
  type Result,
  wafCodes,
} from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { overridesMax } from '../../context/limits.ts';
import { findUrlProblem } from '../page-rules/zone-host.ts';
import { hasProduct, requireProduct, wafOverrides } from './availability.ts';
import { overrideTable, type UriOverride } from '../../stores/managed-rules.ts';

export const overrideHandlers: Handlers<ZoneContext, 'wafOverrides'> = {
  'wafOverrides.create'(context, { body }) {
    requireProduct(context, wafOverrides);
    if (overrideTable.count(context.sql) >= overridesMax) {
      throw fault(wafCodes.wafOverrideQuota, { fill: { max: overridesMax } });
    }
    const override = checkOverride(context, context.newId(), body);
    overrideTable.insert(context.sql, override);
    const after = toOverrideJson(override);
    context.audit({ resource: 'waf_override', id: override.id, before: undefined, after });
    context.addMessage(entryOf(migrationMessageCodes.overrideInTheWay));
    return ok(after);
  },

  'wafOverrides.list'(context, { query }) {
    const isIncluded = hasProduct(context, wafOverrides);
    const overrides = isIncluded ? overrideTable.list(context.sql) : [];
    return pageOf(overrides.map(toOverrideJson), query);
  },

  'wafOverrides.get'(context, { path }) {
    requireProduct(context, wafOverrides);
    return ok(toOverrideJson(requireOverride(context, path['override_id']!)));
  },

  'wafOverrides.update'(context, { path, body }) {
    requireProduct(context, wafOverrides);
    const before = requireOverride(context, path['override_id']!);
    if (body.id !== undefined && body.id !== '' && body.id !== before.id) {
      throw fault(wafCodes.wafOverrideIdMismatch, { pointer: '/id' });
    }
    const override = checkOverride(context, before.id, body);
    overrideTable.update(context.sql, override);
    const after = toOverrideJson(override);
    context.audit({ resource: 'waf_override', id: before.id, before: toOverrideJson(before), after });
    return ok(after);
  },

  'wafOverrides.delete'(context, { path }) {
    requireProduct(context, wafOverrides);
    const before = requireOverride(context, path['override_id']!);
    overrideTable.remove(context.sql, before.id);
    context.audit({
      resource: 'waf_override',
      id: before.id,
      before: toOverrideJson(before),
      after: undefined,
    });
    return ok({ id: before.id });
  },
};

type GivenOverride = InputOf<'wafOverrides.create'>['body'];

function requireOverride({ sql }: ZoneContext, id: string): UriOverride {
  const override = overrideTable.get(sql, id);
  if (override === undefined) throw fault(wafCodes.wafOverrideNotFound);
  return override;
}

function checkOverride({ zone }: ZoneContext, id: string, given: GivenOverride): UriOverride {
  const { paused = false, priority = 0, urls, description } = given;
  const groups = given.groups ?? {};
  const rules = given.rules ?? {};
  for (const [index, url] of urls.entries()) checkUrl(url, zone.name, `/urls/${index}`);
  if (Object.keys(groups).length + Object.keys(rules).length === 0) {
    throw createFault('an override needs at least one of groups and rules', '/rules');
  }
  const group = Object.keys(groups).find((each) => !legacyGroups.has(each));
  if (group !== undefined)
    throw createFault('there is no WAF group with this id', pointerTo('/groups', group));
  const rule = Object.keys(rules).find((each) => !legacyRules.has(each));
  if (rule !== undefined) throw createFault('there is no WAF rule with this id', pointerTo('/rules', rule));
  return {
    id,
    isPaused: paused,
    urls,
    priority,
    groups,
    rules,
    rewriteAction: given.rewrite_action ?? {},
    description: description || null,
  };
}

function checkUrl(url: string, zoneName: string, pointer: string): void {
  const problem = findUrlProblem(url, zoneName);
  if (problem !== undefined) throw createFault(`the URL ${problem}`, pointer);
}

function createFault(reason: string, pointer: string) {
  return fault(wafCodes.wafOverrideInvalid, { fill: { reason }, pointer });
}

/** The keys are in Cloudflare's order. */
function toOverrideJson(override: UriOverride): Result<'wafOverrides.get'> {
  const { id, isPaused, urls, priority, groups, rules, rewriteAction, description } = override;
  return { id, paused: isPaused, urls, priority, groups, rules, rewrite_action: rewriteAction, description };
}

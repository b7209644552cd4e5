/** Operations on the registry of zones. They run in the account's object. */
import { assert } from '#base';
import { type Plan, plans } from '#rulesets';
import {
  entryOf,
  fault,
  genericCodes,
  type InputOf,
  ok,
  pageOf,
  type Reply,
  type Result,
  zoneCodes,
  type ZoneEdit,
} from '#contract';
import { findGrants } from '../../context/caller.ts';
import type { ZoneFacts } from '../../context/directory.ts';
import type { Context, Handlers } from '../../context/handler.ts';
import { zonesMax } from '../../context/limits.ts';
import { toZoneJson, toZoneRecord } from './zone-json.ts';
import { isSmaller, toPlanJson, findPlan, toSubscriptionJson } from './zone-plans.ts';
import { findZones } from './zone-query.ts';
import { ZoneStore } from '../../stores/zones.ts';
import { domainToASCII } from 'node:url';

export const zoneRegistryHandlers: Handlers<Context, 'zones'> = {
  'zones.list'(context, { query }) {
    const grants = findGrants(context);
    const visible = new ZoneStore(context.sql)
      .listAll()
      .filter(({ id }) => grants.allows('zoneRead', id) || grants.allows('zoneWrite', id));
    const zones = findZones(visible, query, context.directory);
    return pageOf(
      zones.map((zone) => toZoneJson(zone, context.directory, grants)),
      query,
    );
  },

  'zones.create'(context, { body }) {
    const { accountId } = context.directory;
    for (const field of ['account', 'organization'] as const) {
      const { id = accountId } = body[field] ?? {};
      if (id !== accountId) throw fault(genericCodes.accountNotFound, { pointer: `/${field}/id` });
    }
    const store = new ZoneStore(context.sql);
    const name = readZoneName(body.name);
    const same = store.findByName(name);
    if (same !== undefined) throw fault(zoneCodes.zoneExists, { id: same.id, fill: { name } });
    const { count } = store;
    if (count >= zonesMax) throw fault(zoneCodes.zonesTooMany, { fill: { count } });
    const zone: ZoneFacts = {
      id: context.newId(),
      name,
      plan: 'free',
      accountId,
      isPaused: body.paused ?? false,
      type: body.type ?? 'full',
      vanityNameServers: readNameServers('free', body.vanity_name_servers ?? []),
      createdAtMs: context.nowMs,
      modifiedAtMs: context.nowMs,
    };
    store.put(zone);
    context.audit({ resource: 'zone', id: zone.id, before: undefined, after: toZoneRecord(zone) });
    return replyWithZone(context, zone);
  },

  'zones.get'(context, { path }) {
    return replyWithZone(context, requireZone(context, path['zone_id']!));
  },

  'zones.edit'(context, { path, body }) {
    const before = requireZone(context, path['zone_id']!);
    const count = Object.keys(body).length;
    if (count !== 1) throw fault(zoneCodes.zonePropertyCount, { fill: { count } });
    return replyWithZone(context, change(context, before, readEdit(before, body)));
  },

  'zones.delete'(context, { path }) {
    const zone = requireZone(context, path['zone_id']!);
    new ZoneStore(context.sql).remove(zone, context.nowMs);
    context.audit({ resource: 'zone', id: zone.id, before: toZoneRecord(zone), after: undefined });
    return ok({ id: zone.id });
  },

  'zones.listPlans'(context, { path }) {
    const { plan: current } = requireZone(context, path['zone_id']!);
    return ok(plans.map((plan) => toPlanJson(plan, current)));
  },

  'zones.getPlan'(context, { path }) {
    const { plan: current } = requireZone(context, path['zone_id']!);
    return ok(toPlanJson(findPlan(path['plan_id']), current));
  },

  'zones.getSubscription'(context, { path }) {
    return ok(toSubscriptionJson(requireZone(context, path['zone_id']!)));
  },

  'zones.subscribe': subscribe,
  'zones.changeSubscription': subscribe,
};

function subscribe(
  context: Context,
  { path, body }: InputOf<'zones.subscribe'>,
): Reply<Result<'zones.subscribe'>> {
  const zone = requireZone(context, path['zone_id']!);
  const plan = findPlan(body.rate_plan.id, '/rate_plan/id');
  return ok(toSubscriptionJson(change(context, zone, { plan })));
}

function change(context: Context, before: ZoneFacts, changes: Partial<ZoneFacts>): ZoneFacts {
  const after: ZoneFacts = { ...before, ...changes, modifiedAtMs: context.nowMs };
  new ZoneStore(context.sql).put(after);
  const [old, current] = [toZoneRecord(before), toZoneRecord(after)];
  context.audit({ resource: 'zone', id: after.id, before: old, after: current });
  if (isSmaller(after.plan, before.plan)) {
    context.addMessage(entryOf(zoneCodes.zonePlanSmaller, { fill: { plan: after.plan } }));
  }
  return after;
}

function replyWithZone(context: Context, zone: ZoneFacts): Reply<Result<'zones.get'>> {
  return ok(toZoneJson(zone, context.directory, findGrants(context)));
}

function requireZone(context: Context, id: string): ZoneFacts {
  const zone = new ZoneStore(context.sql).get(id);
  if (zone === undefined) throw fault(genericCodes.zoneNotFound);
  return zone;
}

/** Reads the one property that the body has. */
function readEdit(zone: ZoneFacts, body: ZoneEdit): Partial<ZoneFacts> {
  if (body.paused !== undefined) return { isPaused: body.paused };
  if (body.plan !== undefined) return { plan: findPlan(body.plan.id ?? body.plan.legacy_id, '/plan/id') };
  if (body.type !== undefined) {
    if (body.type !== zone.type) checkPlan(zone.plan, 'type', 'enterprise');
    return { type: body.type };
  }
  const servers = body.vanity_name_servers;
  assert(servers !== undefined, 'a property that the body may have is not handled');
  return { vanityNameServers: readNameServers(zone.plan, servers) };
}

function readNameServers(plan: Plan, servers: readonly string[]): readonly string[] {
  if (servers.length > 0) checkPlan(plan, 'vanity_name_servers', 'business');
  return servers;
}

function checkPlan(plan: Plan, property: string, needed: Plan): void {
  if (!isSmaller(plan, needed)) return;
  throw fault(zoneCodes.zoneNotEntitled, { pointer: `/${property}`, fill: { property, plan: needed } });
}

/** Names of zones: domains, in the normalised spelling that all comparisons use. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns the name in lower case, with Punycode for other letters. */
function readZoneName(given: string): string {
  // These characters have another meaning in a URL: a port, a path, an escape.
  const isPlain = !/[\s/:?#@%\\[\]]/.test(given);
  const name = isPlain ? domainToASCII(given) : '';
  const labels = name.split('.');
  if (name === '' || name.length > 253 || !labels.every((each) => label.test(each))) {
    throw createFault(`${JSON.stringify(given)} is not a domain name`);
  }
  if (labels.length < 2) throw createFault(`${JSON.stringify(given)} has only one label`);
  if (/^\d+$/.test(labels.at(-1)!)) throw createFault(`${JSON.stringify(given)} is an address`);
  return name;
}

function createFault(reason: string): Error {
  return fault(zoneCodes.zoneNameInvalid, { pointer: '/name', fill: { reason } });
}

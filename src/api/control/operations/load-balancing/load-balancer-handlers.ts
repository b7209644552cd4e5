/** Operations on the load balancers of a zone. They are in the object of the account, beside the pools. */
import { entryOf, fault, type InputOf, loadBalancingCodes as codes, ok, type Result } from '#contract';
import { isHost } from '#rulesets';
import type { AccountContext, Context, Handlers } from '../../context/handler.ts';
import { loadBalancersMax } from '../../context/limits.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import {
  type BalancerContent,
  type BalancerRow,
  balancerTable,
  poolTable,
} from '../../stores/load-balancing/load-balancing.ts';
import { isHostOfZone } from '../page-rules/zone-host.ts';
import { refuse } from './references.ts';

type Body = InputOf<'loadBalancers.create'>['body'];
type Attributes = NonNullable<BalancerContent['session_affinity_attributes']>;

export const loadBalancerHandlers: Handlers<AccountContext, 'loadBalancers'> = {
  'loadBalancers.list'(context, { path }) {
    const rows = balancerTable.select(context.sql, 'WHERE zone_id = ? ORDER BY sequence', path['zone_id']!);
    return ok(rows.map((row) => toJson(context, row)));
  },

  'loadBalancers.create'(context, { path, body }) {
    const { sql, nowMs } = context;
    if (balancerTable.hasAtLeast(sql, loadBalancersMax))
      throw fault(codes.balancingQuota, { fill: { max: loadBalancersMax, what: 'load balancers' } });
    const zoneId = path['zone_id']!;
    const id = context.newId();
    const content = checkContent(context, zoneId, body);
    const row: BalancerRow = {
      id,
      zoneId,
      name: content.name,
      content,
      createdAtMs: nowMs,
      modifiedAtMs: nowMs,
    };
    checkName(context, row);
    balancerTable.insert(sql, row);
    context.audit({ resource: 'load_balancer', id, before: undefined, after: toJson(context, row) });
    addIdleMessages(context, content);
    return ok(toJson(context, row));
  },

  'loadBalancers.get': (context, { path }) => ok(toJson(context, requireBalancer(context, path))),

  'loadBalancers.update': (context, { path, body }) =>
    ok(replace(context, requireBalancer(context, path), body)),

  'loadBalancers.edit'(context, { path, body }) {
    const before = requireBalancer(context, path);
    // An empty load balancer has empty rules.
    return ok(replace(context, before, { ...(before.content as Body), rules: [], ...body }));
  },

  'loadBalancers.delete'(context, { path }) {
    const before = requireBalancer(context, path);
    const { id } = before;
    balancerTable.remove(context.sql, id);
    context.audit({ resource: 'load_balancer', id, before: toJson(context, before), after: undefined });
    return ok({ id });
  },
};

function replace(context: AccountContext, before: BalancerRow, body: Body): Result<'loadBalancers.get'> {
  const content = checkContent(context, before.zoneId, body);
  const row = { ...before, name: content.name, content, modifiedAtMs: context.nowMs };
  checkName(context, row);
  balancerTable.update(context.sql, row);
  const [old, now] = [toJson(context, before), toJson(context, row)];
  context.audit({ resource: 'load_balancer', id: row.id, before: old, after: now });
  addIdleMessages(context, content);
  return now;
}

function requireBalancer({ sql }: Context, path: Readonly<Record<string, string>>): BalancerRow {
  const id = path['load_balancer_id']!;
  const row = balancerTable.get(sql, id);
  if (row === undefined || row.zoneId !== path['zone_id'])
    throw fault(codes.balancingNotFound, { fill: { what: 'load balancer', id } });
  return row;
}

function checkName({ sql }: Context, { id, name }: BalancerRow): void {
  const [same] = balancerTable.select(sql, 'WHERE name = ? AND id <> ?', name, id);
  if (same !== undefined) refuse('/name', `name: the load balancer ${same.id} has it`);
}

function checkContent(context: Context, zoneId: string, body: Body): BalancerContent {
  const { directory } = context;
  const name = body.name.toLowerCase().replace(/\.$/, '');
  const zoneName = directory.zones.get(zoneId)?.name ?? '';
  if (!isHost(name.replace(/^\*\./, '')) || !isHostOfZone(name, zoneName))
    refuse('/name', `name: must be a host name of the zone ${zoneName}`);
  refuseUnserved(body);
  const { default_pools, fallback_pool, ttl, adaptive_routing, random_steering, location_strategy } = body;
  const { networks } = body;
  for (const [index, pool] of default_pools.entries()) requirePool(context, `/default_pools/${index}`, pool);
  requirePool(context, '/fallback_pool', fallback_pool);
  const byPlace = readPlaces(context, body);
  return {
    name,
    description: body.description ?? '',
    enabled: body.enabled ?? true,
    proxied: body.proxied ?? false,
    ...(ttl === undefined || ttl === 0 ? {} : { ttl }),
    default_pools,
    fallback_pool,
    ...byPlace,
    steering_policy: body.steering_policy ?? '',
    ...(random_steering == null ? {} : { random_steering: fillWeights(random_steering) }),
    ...checkAffinity(body),
    ...(location_strategy == null ? {} : { location_strategy }),
    ...(networks == null ? {} : { networks }),
    ...(adaptive_routing == null
      ? {}
      : { adaptive_routing: { failover_across_pools: adaptive_routing.failover_across_pools ?? false } }),
    rules: [],
  };
}

function requirePool({ sql }: Context, pointer: string, id: string): void {
  if (poolTable.get(sql, id) === undefined) refuse(pointer, `${pointer.slice(1)}: there is no pool ${id}`);
}

function fillWeights({
  default_weight = 1,
  pool_weights,
}: NonNullable<Body['random_steering']>): NonNullable<BalancerContent['random_steering']> {
  return { default_weight, pool_weights: pool_weights ?? {} };
}

const places = ['region_pools', 'country_pools', 'pop_pools'] as const;

/** Pools by the location where a request arrives: stored, but unused. */
function readPlaces(context: Context, body: Body): Pick<BalancerContent, (typeof places)[number]> {
  const [region_pools, country_pools, pop_pools] = places.map((field) => {
    const pools = body[field] ?? {};
    for (const [place, ids] of Object.entries(pools))
      for (const [index, id] of ids.entries()) requirePool(context, `/${field}/${place}/${index}`, id);
    return pools;
  });
  return { region_pools: region_pools!, country_pools: country_pools!, pop_pools: pop_pools! };
}

const distant: ReadonlySet<string> = new Set(['geo', 'dynamic_latency', 'proximity']);

/** Settings that a load balancer stores for a client, but does not act on. */
function addIdleMessages({ addMessage }: AccountContext, content: BalancerContent): void {
  const tell = (field: string, reason: string): void =>
    addMessage(entryOf(codes.balancingIdle, { fill: { field, reason } }));
  if (distant.has(content.steering_policy))
    tell(
      `steering_policy ${content.steering_policy}`,
      'it needs data centres, so default_pools are tried in their order; off, random and least_outstanding_requests act',
    );
  for (const field of places)
    if (Object.keys(content[field]).length > 0)
      tell(field, 'there is only one location here; default_pools are used');
  if (content.location_strategy !== undefined)
    tell('location_strategy', 'pools are not chosen by the origin of a request here');
}

/** Settings that this server does not implement. */
function refuseUnserved(body: Body): void {
  if ((body.rules ?? []).length > 0)
    refuse('/rules', 'rules: to send requests elsewhere, use rules of the phase http_request_origin');
  if ((body.pool_sets ?? []).length > 0) refuse('/pool_sets', 'pool_sets: use default_pools');
}

/** Cloudflare's default, in seconds: 23 hours. */
const cookieSeconds = 82_800;
const headerSeconds = 1_800;

function checkAffinity(
  body: Body,
): Pick<BalancerContent, 'session_affinity' | 'session_affinity_ttl' | 'session_affinity_attributes'> {
  const { session_affinity_ttl: ttl, session_affinity_attributes: more } = body;
  const affinity = body.session_affinity || 'none';
  if (affinity === 'none') return { session_affinity: affinity };
  const headers = more?.headers ?? [];
  if (affinity === 'header' && headers.length === 0)
    refuse(
      '/session_affinity_attributes/headers',
      'session_affinity_attributes.headers: name at least one header',
    );
  const attributes: Attributes = {
    samesite: more?.samesite || 'Auto',
    secure: more?.secure || 'Auto',
    drain_duration: more?.drain_duration ?? 0,
    zero_downtime_failover: more?.zero_downtime_failover || 'none',
    ...(headers.length === 0 ? {} : { headers: headers.map((name) => name.toLowerCase()) }),
    ...(more?.require_all_headers === true ? { require_all_headers: true } : {}),
  };
  return {
    session_affinity: affinity,
    session_affinity_ttl: ttl || (affinity === 'header' ? headerSeconds : cookieSeconds),
    session_affinity_attributes: attributes,
  };
}

function toJson(
  { directory }: Context,
  { id, zoneId, content, createdAtMs, modifiedAtMs }: BalancerRow,
): Result<'loadBalancers.get'> {
  return {
    id,
    ...content,
    zone_name: directory.zones.get(zoneId)?.name ?? '',
    created_on: toMicroseconds(createdAtMs),
    modified_on: toMicroseconds(modifiedAtMs),
  };
}

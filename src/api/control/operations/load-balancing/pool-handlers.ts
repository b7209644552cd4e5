/** Operations on pools of origins, and the reports of hosts on their health. */
import { entryOf, fault, type InputOf, loadBalancingCodes as codes, ok, type Result } from '#contract';
import { isHost, isHostWithPort } from '#rulesets';
import type { AccountContext, Context, Handlers } from '../../context/handler.ts';
import { poolsMax } from '../../context/limits.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import {
  type BalancerContent,
  balancerTable,
  monitorTable,
  type PoolContent,
  type PoolRow,
  poolTable,
} from '../../stores/load-balancing/load-balancing.ts';
import { listHealthEvents, readPoolHealth } from '../../stores/load-balancing/origin-health.ts';
import { refuse, requireUnused, toReference } from './references.ts';

type Body = InputOf<'pools.create'>['body'];
type SentOrigin = Body['origins'][number];
type ShownOrigin = PoolContent['origins'][number];

export const poolHandlers: Handlers<AccountContext, 'pools'> = {
  'pools.list'({ sql }, { query }) {
    const { where, values } = poolTable.toConditions(query);
    return ok(poolTable.select(sql, `${where} ORDER BY sequence`, ...values).map(toJson));
  },

  'pools.create'(context, { body }) {
    const { sql, nowMs } = context;
    if (poolTable.hasAtLeast(sql, poolsMax))
      throw fault(codes.balancingQuota, { fill: { max: poolsMax, what: 'pools' } });
    const id = context.newId();
    const content = checkContent(context, body, undefined);
    const row: PoolRow = { id, name: content.name, content, createdAtMs: nowMs, modifiedAtMs: nowMs };
    checkName(context, row);
    poolTable.insert(sql, row);
    context.audit({ resource: 'pool', id, before: undefined, after: toJson(row) });
    addIdleMessage(context, content);
    return ok(toJson(row));
  },

  'pools.get': (context, { path }) => ok(toJson(requirePool(context, path))),

  'pools.update': (context, { path, body }) => ok(replace(context, requirePool(context, path), body)),

  'pools.edit'(context, { path, body }) {
    const before = requirePool(context, path);
    return ok(replace(context, before, { ...before.content, ...body }));
  },

  'pools.delete'(context, { path }) {
    const before = requirePool(context, path);
    requireUnused('the pool', listReferences(context, before.id));
    poolTable.remove(context.sql, before.id);
    context.audit({ resource: 'pool', id: before.id, before: toJson(before), after: undefined });
    return ok({ id: before.id });
  },

  'pools.references': (context, { path }) => ok(listReferences(context, requirePool(context, path).id)),

  'pools.health'(context, { path }) {
    const { id, content } = requirePool(context, path);
    const isUp = (count: number): boolean => count >= Math.max(1, content.minimum_origins);
    return ok({ pool_id: id, pop_health: readPoolHealth(context.sql, id, { nowMs: context.nowMs, isUp }) });
  },

  'pools.events': (context, { path }) => ok(listHealthEvents(context.sql, requirePool(context, path).id)),
};

function replace(context: AccountContext, before: PoolRow, body: Body): Result<'pools.get'> {
  const content = checkContent(context, body, before.content);
  const row = { ...before, name: content.name, content, modifiedAtMs: context.nowMs };
  checkName(context, row);
  poolTable.update(context.sql, row);
  context.audit({ resource: 'pool', id: row.id, before: toJson(before), after: toJson(row) });
  addIdleMessage(context, content);
  return toJson(row);
}

function listReferences({ sql }: Context, id: string): Result<'pools.references'> {
  return balancerTable
    .list(sql)
    .filter(({ content }) => listPools(content).includes(id))
    .map((balancer) => toReference('load_balancer', balancer));
}

/** All pools that a load balancer names, used or only stored. */
function listPools(content: BalancerContent): string[] {
  const { default_pools, fallback_pool, region_pools, country_pools, pop_pools } = content;
  const byPlace = [region_pools, country_pools, pop_pools].flatMap((pools) => Object.values(pools).flat());
  return [fallback_pool, ...default_pools, ...byPlace];
}

function requirePool({ sql }: Context, path: Readonly<Record<string, string>>): PoolRow {
  const id = path['pool_id']!;
  const row = poolTable.get(sql, id);
  if (row === undefined) throw fault(codes.balancingNotFound, { fill: { what: 'pool', id } });
  return row;
}

function checkName({ sql }: Context, { id, name }: PoolRow): void {
  const [same] = poolTable.select(sql, 'WHERE name = ? AND id <> ?', name, id);
  if (same !== undefined) refuse('/name', `name: the pool ${same.id} has it`);
}

function checkContent(context: AccountContext, body: Body, before: PoolContent | undefined): PoolContent {
  const {
    monitor,
    origins,
    minimum_origins = 1,
    origin_steering,
    slow_start = 0,
    latitude,
    longitude,
  } = body;
  refuseUnserved(body);
  if (minimum_origins > origins.length)
    refuse(
      '/minimum_origins',
      `minimum_origins: must be at most ${origins.length}, the number of origins, or the pool is never healthy`,
    );
  if ((monitor ?? '') !== '' && monitorTable.get(context.sql, monitor!) === undefined)
    refuse('/monitor', `monitor: there is no monitor ${monitor}`);
  const enabled = body.enabled ?? true;
  const disabledAt = before?.disabled_at ?? toMicroseconds(context.nowMs);
  const policy = origin_steering?.policy;
  return {
    name: body.name,
    description: body.description ?? '',
    enabled,
    ...(enabled ? {} : { disabled_at: disabledAt }),
    minimum_origins,
    ...((monitor ?? '') === '' ? {} : { monitor: monitor! }),
    origins: origins.map((origin, index) => checkOrigin(context, origin, { index, body, before })),
    ...(policy === undefined ? {} : { origin_steering: { policy } }),
    ...(slow_start === 0 ? {} : { slow_start }),
    ...keepIdle(body),
    check_regions: body.check_regions ?? null,
    notification_email: body.notification_email ?? '',
    ...(latitude == null ? {} : { latitude }),
    ...(longitude == null ? {} : { longitude }),
  };
}

/** Settings that are stored for a client, but have no effect. */
function keepIdle({
  load_shedding,
  notification_filter,
  health_sources,
}: Body): Pick<PoolContent, 'load_shedding' | 'notification_filter' | 'health_sources'> {
  return {
    ...(load_shedding == null ? {} : { load_shedding }),
    ...(notification_filter == null ? {} : { notification_filter }),
    ...(health_sources == null ? {} : { health_sources }),
  };
}

function addIdleMessage({ addMessage }: AccountContext, { load_shedding }: PoolContent): void {
  const shed = Object.entries(Object(load_shedding ?? {}) as Record<string, unknown>);
  if (!shed.some(([name, value]) => name.endsWith('percent') && value !== 0)) return;
  const fill = { field: 'load_shedding', reason: 'lower the weights of the origins instead' };
  addMessage(entryOf(codes.balancingIdle, { fill }));
}

/** Features of Cloudflare that this server lacks, unless they are empty. */
function refuseUnserved({ monitor_group, origins }: Body): void {
  if ((monitor_group ?? '') !== '') refuse('/monitor_group', 'monitor_group: use a monitor');
  const network = origins.findIndex(({ virtual_network_id }) => (virtual_network_id ?? '') !== '');
  if (network !== -1)
    refuse(
      `/origins/${network}/virtual_network_id`,
      'virtual_network_id: there are no virtual networks here',
    );
}

function checkOrigin(
  { checkOrigin: check, nowMs }: AccountContext,
  sent: SentOrigin,
  {
    index,
    body,
    before,
  }: { readonly index: number; readonly body: Body; readonly before: PoolContent | undefined },
): ShownOrigin {
  const at = `/origins/${index}`;
  const { name, address, port, header, enabled = true, weight = 1, flatten_cname = true } = sent;
  const Host = header?.Host ?? [];
  if (!isHost(address)) refuse(`${at}/address`, 'address: must be an address or a host name');
  if (Host.length > 0 && !isHostWithPort(Host[0]!))
    refuse(`${at}/header/Host`, 'header: Host must be a host name');
  if (check.findObstacle(address, port || 443) !== undefined)
    refuse(`${at}/address`, `address: the edge does not connect to ${address}; see allow_private_origins`);
  const isSame = (other: SentOrigin | ShownOrigin): boolean =>
    other.address === address &&
    (other.port || 0) === (port || 0) &&
    (other.header?.Host?.[0] ?? '') === (Host[0] ?? '');
  if (body.origins.findIndex(isSame) < index)
    refuse(at, 'origins: an origin of the pool has the same address, port and Host');
  if (body.origins.findIndex((other) => other.name === name) < index)
    refuse(`${at}/name`, 'origins: an origin of the pool has the same name');
  const disabledAt = before?.origins.find(isSame)?.disabled_at ?? toMicroseconds(nowMs);
  return {
    name,
    address,
    ...(port ? { port } : {}),
    enabled,
    weight: Math.round(weight * 100) / 100,
    flatten_cname,
    ...(Host.length === 0 ? {} : { header: { Host } }),
    ...(enabled ? {} : { disabled_at: disabledAt }),
  };
}

function toJson({ id, content, createdAtMs, modifiedAtMs }: PoolRow): Result<'pools.get'> {
  return {
    id,
    ...content,
    created_on: toMicroseconds(createdAtMs),
    modified_on: toMicroseconds(modifiedAtMs),
  };
}

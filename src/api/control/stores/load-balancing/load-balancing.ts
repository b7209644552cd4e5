/**
 * Load balancers, their pools and monitors, in the database of the account: a pool that a load balancer of any zone
 * uses cannot be deleted, which one transaction must check. The content of each is stored in the form that clients see,
 * with its defaults.
 */
import type {
  ConfiguredAffinity,
  ConfiguredLoadBalancer,
  ConfiguredMonitor,
  ConfiguredPool,
  ConfiguredPoolOrigin,
} from '#firewall';
import type { Result } from '#contract';
import { json, text, whole } from '../../context/tables/columns.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { type RowOf, Table } from '../../context/tables/table.ts';

type Kept = 'id' | 'created_on' | 'modified_on';
export type MonitorContent = Omit<Result<'monitors.get'>, Kept>;
export type PoolContent = Omit<Result<'pools.get'>, Kept>;
export type BalancerContent = Omit<Result<'loadBalancers.get'>, Kept | 'zone_name'>;

const common = { id: text({ isUnique: true }), createdAtMs: whole(), modifiedAtMs: whole() };

export const monitorTable = new Table('lb_monitors', {
  sequence: 'autoincrement',
  columns: { ...common, content: json<MonitorContent>() },
  order: 'sequence',
});

export const poolTable = new Table('lb_pools', {
  sequence: 'autoincrement',
  columns: { ...common, name: text({ isUnique: true }), content: json<PoolContent>() },
  order: 'sequence',
  filters: { monitor: `json_extract(content, '$.monitor') = ?` },
});

export const balancerTable = new Table('load_balancers', {
  sequence: 'autoincrement',
  columns: { ...common, zoneId: text(), name: text({ isUnique: true }), content: json<BalancerContent>() },
  order: 'sequence',
  attached: [
    `CREATE TRIGGER IF NOT EXISTS zones_have_load_balancers AFTER DELETE ON zones BEGIN
      DELETE FROM load_balancers WHERE zone_id = OLD.id;
    END`,
  ],
});

/** Must be created after the zones. */
export const loadBalancingTables = [monitorTable, poolTable, balancerTable];

export type MonitorRow = RowOf<typeof monitorTable>;
export type PoolRow = RowOf<typeof poolTable>;
export type BalancerRow = RowOf<typeof balancerTable>;

/** The enabled ones. */
export function readConfiguredLoadBalancers(sql: Sql): ConfiguredLoadBalancer[] {
  const balancers = balancerTable.list(sql).filter(({ content }) => content.enabled);
  if (balancers.length === 0) return [];
  const monitors = new Map(monitorTable.list(sql).map((row) => [row.id, configureMonitor(row)]));
  const pools = new Map(poolTable.list(sql).map((row) => [row.id, configurePool(row, monitors)]));
  return balancers.map(({ id, zoneId, name, content }) => ({
    id,
    zoneId,
    name,
    pools: content.default_pools.map((pool) => pools.get(pool)!),
    fallback: pools.get(content.fallback_pool)!,
    steering:
      content.steering_policy === 'random' ? 'random' : configureSteering(content.steering_policy, 'order'),
    poolWeights: content.random_steering?.pool_weights ?? {},
    defaultWeight: content.random_steering?.default_weight ?? 1,
    affinity: configureAffinity(content),
    failsOverAcrossPools: content.adaptive_routing?.failover_across_pools === true,
  }));
}

/** Both mean the same here: a request is outstanding while its connection is used. */
function configureSteering<T>(policy: string, otherwise: T): T | 'least_outstanding_requests' {
  const isLeast = policy === 'least_outstanding_requests' || policy === 'least_connections';
  return isLeast ? 'least_outstanding_requests' : otherwise;
}

function configureAffinity(content: BalancerContent): ConfiguredAffinity | undefined {
  const {
    session_affinity: by,
    session_affinity_ttl: ttlSeconds,
    session_affinity_attributes: more,
  } = content;
  if (by !== 'cookie' && by !== 'ip_cookie' && by !== 'header') return undefined;
  return {
    by,
    ttlSeconds: ttlSeconds!,
    sameSite: more!.samesite as ConfiguredAffinity['sameSite'],
    secure: more!.secure as ConfiguredAffinity['secure'],
    drainSeconds: more!.drain_duration,
    failover: more!.zero_downtime_failover as ConfiguredAffinity['failover'],
    headers: more!.headers ?? [],
    requiresAllHeaders: more!.require_all_headers === true,
  };
}

function configurePool(
  { id, name, content }: PoolRow,
  monitors: ReadonlyMap<string, ConfiguredMonitor>,
): ConfiguredPool {
  const { enabled, origins, minimum_origins, origin_steering, slow_start = 0, monitor } = content;
  const policy = origin_steering?.policy ?? 'random';
  return {
    id,
    name,
    isEnabled: enabled,
    origins: origins.map(configureOrigin),
    originsMin: minimum_origins,
    steering: policy === 'hash' ? 'hash' : configureSteering(policy, 'random'),
    slowStartSeconds: slow_start,
    monitor: monitor === undefined ? undefined : monitors.get(monitor),
  };
}

function configureOrigin(origin: PoolContent['origins'][number]): ConfiguredPoolOrigin {
  const { name, address, port, header, weight, enabled, disabled_at } = origin;
  return {
    name,
    address,
    port,
    host: header?.Host[0],
    weight,
    isEnabled: enabled,
    disabledAtMs: disabled_at === undefined ? undefined : Date.parse(disabled_at),
  };
}

function configureMonitor({ id, content }: MonitorRow): ConfiguredMonitor {
  const { type, method, path, header, port, expected_codes } = content;
  return {
    id,
    type,
    method,
    path,
    headers: Object.entries(header).flatMap(([name, values]) =>
      values.map((value) => [name, value] as const),
    ),
    port,
    timeoutMs: content.timeout * 1_000,
    retries: content.retries,
    intervalMs: content.interval * 1_000,
    consecutiveUp: Math.max(1, content.consecutive_up ?? 0),
    consecutiveDown: Math.max(1, content.consecutive_down ?? 0),
    expectedBody: content.expected_body.toLowerCase(),
    expectedCodes: expected_codes.split(',').map((code) => code.trim()),
    followsRedirects: content.follow_redirects,
    allowsInsecure: content.allow_insecure,
  };
}

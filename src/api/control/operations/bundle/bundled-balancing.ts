/**
 * Load balancers of a zone, with the pools and monitors that they use, as a part of its bundle. They are in the object
 * of the account, so this part has handlers of its own, for the same operations. Pools belong to the account: a pool
 * with the same name is considered the same, and none is ever deleted.
 */
import { isDeepStrictEqual } from 'node:util';
import { bundleCodes, entryOf, fault, ok } from '#contract';
import { findGrants } from '../../context/caller.ts';
import type { AccountContext, Handlers } from '../../context/handler.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { balancerTable, monitorTable, poolTable } from '../../stores/load-balancing/load-balancing.ts';
import { loadBalancerHandlers } from '../load-balancing/load-balancer-handlers.ts';
import { monitorHandlers } from '../load-balancing/monitor-handlers.ts';
import { poolHandlers } from '../load-balancing/pool-handlers.ts';
import type { Bundle } from './bundle-part.ts';
import { ImportRun, runWithin } from './import-run.ts';
import { renameHost } from './rename-zone.ts';

type Part = NonNullable<Bundle['load_balancing']>;
type Run = ImportRun<AccountContext>;
/** Ids of this account by those of the bundle. */
type Ids = ReadonlyMap<string, string>;

const partName = 'load_balancing';
const noInput = { path: {}, query: {} };

export const bundledBalancingHandlers: Handlers<AccountContext, 'bundle'> = {
  'bundle.export'(context, { path }) {
    const { id, name, plan } = context.directory.zones.get(path['zone_id']!)!;
    const part = readBalancing(context.sql, id);
    const isHidden = part !== undefined && !mayUse(context, id, 'Read');
    if (isHidden) context.addMessage(entryOf(bundleCodes.bundlePartHidden, { fill: { part: partName } }));
    return ok({
      format: 'gatehouse.zone',
      version: 1,
      zone: { id, name, plan },
      ...(part === undefined || isHidden ? {} : { load_balancing: part }),
    });
  },

  'bundle.import'(context, { path, query, body }) {
    const zone = context.directory.zones.get(path['zone_id']!)!;
    const { mode = 'merge', dry_run = false } = query;
    if (!mayUse(context, zone.id, 'Write'))
      throw fault(bundleCodes.bundleNotPermitted, { pointer: `/${partName}`, fill: { part: partName } });
    const run = new ImportRun(context, mode);
    const { monitors, pools, load_balancers } = body.load_balancing!;
    const poolIds = importPools(run, pools, importMonitors(run, monitors));
    const renamed = load_balancers.map((balancer) => ({
      ...balancer,
      name: renameHost(balancer.name, body.zone.name, zone.name),
    }));
    importBalancers(run, { zoneId: zone.id, balancers: renamed, poolIds });
    return ok({ mode, dry_run, changes: run.changes });
  },
};

function mayUse(context: AccountContext, zoneId: string, how: 'Read' | 'Write'): boolean {
  const grants = findGrants(context);
  const allows = (each: 'Read' | 'Write'): boolean =>
    grants.allows(`loadBalancers${each}`, zoneId) &&
    grants.allows(`loadBalancingPools${each}`, context.directory.accountId);
  return allows('Write') || (how === 'Read' && allows('Read'));
}

/** Undefined if the zone has no load balancer. */
function readBalancing(sql: Sql, zoneId: string): Part | undefined {
  const balancers = balancerTable.select(sql, 'WHERE zone_id = ? ORDER BY sequence', zoneId);
  if (balancers.length === 0) return undefined;
  const used = new Set(balancers.flatMap(({ content }) => [...content.default_pools, content.fallback_pool]));
  const pools = poolTable.list(sql).filter(({ id }) => used.has(id));
  const monitored = new Set(pools.map(({ content }) => content.monitor));
  const monitors = monitorTable.list(sql).filter(({ id }) => monitored.has(id));
  const byId = (rows: readonly { readonly id: string; readonly content: object }[]): object =>
    Object.fromEntries(rows.map(({ id, content }) => [id, content]));
  return {
    monitors: byId(monitors),
    pools: byId(pools),
    load_balancers: balancers.map(({ content }) => content),
  } as Part;
}

/** A monitor has no name: one with the same settings is considered the same. */
function importMonitors(run: Run, monitors: Part['monitors']): Ids {
  const { sql } = run.context;
  const tally = run.getTally('monitors');
  const ids = new Map<string, string>();
  for (const [key, body] of Object.entries(monitors)) {
    const same = monitorTable.list(sql).find(({ content }) => isSame(content, body));
    if (same === undefined)
      runWithin(`/${partName}/monitors/${key}`, () =>
        monitorHandlers['monitors.create'](run.context, { ...noInput, body }),
      );
    tally[same === undefined ? 'added' : 'kept']++;
    ids.set(key, same?.id ?? monitorTable.list(sql).at(-1)!.id);
  }
  return ids;
}

function importPools(run: Run, pools: Part['pools'], monitorIds: Ids): Ids {
  const { context, mode } = run;
  const tally = run.getTally('pools');
  const ids = new Map<string, string>();
  for (const [key, given] of Object.entries(pools)) {
    const { monitor } = given;
    const body =
      typeof monitor === 'string' ? { ...given, monitor: monitorIds.get(monitor) ?? monitor } : given;
    const [own] = poolTable.select(context.sql, 'WHERE name = ?', given.name);
    const isKept = own !== undefined && (mode === 'merge' || isSame(own.content, body));
    if (!isKept)
      runWithin(`/${partName}/pools/${key}`, () =>
        own === undefined
          ? poolHandlers['pools.create'](context, { ...noInput, body })
          : poolHandlers['pools.update'](context, { query: {}, path: { pool_id: own.id }, body }),
      );
    tally[own === undefined ? 'added' : isKept ? 'kept' : 'changed']++;
    ids.set(key, own?.id ?? poolTable.list(context.sql).at(-1)!.id);
  }
  return ids;
}

interface Balancers {
  readonly zoneId: string;
  readonly balancers: Part['load_balancers'];
  readonly poolIds: Ids;
}

function importBalancers(run: Run, { zoneId, balancers, poolIds }: Balancers): void {
  const { context, mode } = run;
  const { sql } = context;
  const tally = run.getTally('load_balancers');
  const path = { zone_id: zoneId };
  const toId = (key: string): string => poolIds.get(key) ?? key;
  const rows = balancerTable.select(sql, 'WHERE zone_id = ?', zoneId);
  const owned = new Map(rows.map((row) => [row.name, row]));
  const names = new Set(balancers.map(({ name }) => name));
  for (const { name, id } of mode === 'replace' ? rows : []) {
    if (names.has(name)) continue;
    const input = { query: {}, body: undefined, path: { ...path, load_balancer_id: id } };
    loadBalancerHandlers['loadBalancers.delete'](context, input);
    tally.removed++;
  }
  for (const [index, given] of balancers.entries()) {
    const { random_steering: steering } = given;
    const body = {
      ...given,
      default_pools: given.default_pools.map(toId),
      fallback_pool: toId(given.fallback_pool),
      ...(steering?.pool_weights == null
        ? {}
        : { random_steering: { ...steering, pool_weights: mapKeys(steering.pool_weights, toId) } }),
    };
    const own = owned.get(given.name);
    const isKept = own !== undefined && (mode === 'merge' || isSame(own.content, body));
    if (!isKept)
      runWithin(`/${partName}/load_balancers/${index}`, () =>
        own === undefined
          ? loadBalancerHandlers['loadBalancers.create'](context, { query: {}, path, body })
          : loadBalancerHandlers['loadBalancers.update'](context, {
              query: {},
              path: { ...path, load_balancer_id: own.id },
              body,
            }),
      );
    tally[own === undefined ? 'added' : isKept ? 'kept' : 'changed']++;
  }
}

function mapKeys<T>(values: Readonly<Record<string, T>>, change: (key: string) => string): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [change(key), value]));
}

/** Stored values are like those of an export, with their defaults. */
function isSame(stored: object, given: object): boolean {
  return isDeepStrictEqual(stored, JSON.parse(JSON.stringify(given)));
}

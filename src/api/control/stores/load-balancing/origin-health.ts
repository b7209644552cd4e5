/** The hosts' reports on the health of origins: the last of each, and the changes. */
import type { Result } from '#contract';
import { healthEventsKept, healthKnownMs } from '../../context/limits.ts';
import { flag, text, whole } from '../../context/tables/columns.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { Table } from '../../context/tables/table.ts';
import { toMicroseconds } from '../../context/timestamps.ts';

/** The health of a pool's origin as a host sees it. */
export interface OriginReport {
  readonly poolId: string;
  /** The name of the origin in its pool. */
  readonly origin: string;
  readonly address: string;
  readonly isHealthy: boolean;
  /** Why it is unhealthy; empty if it is healthy. */
  readonly reason: string;
  /** The status of the last answer; 0 if there was none. */
  readonly status: number;
  readonly rttMs: number;
  /** The time of the last change. */
  readonly sinceMs: number;
}

const columns = {
  poolId: text(),
  origin: text(),
  address: text(),
  pop: text(),
  isHealthy: flag(),
  reason: text(),
  sinceMs: whole(),
};

const stateTable = new Table('origin_health', {
  key: ['poolId', 'origin', 'pop'],
  columns: { ...columns, status: whole(), rttMs: whole(), saidMs: whole() },
});

const eventTable = new Table('origin_health_events', {
  key: ['poolId', 'origin', 'pop', 'sinceMs'],
  columns,
});

export const originHealthTables = [stateTable, eventTable];

/**
 * Stores a host's report on all its origins. Origins that it no longer names are deleted. Returns those whose health
 * has changed.
 */
export function noteOriginHealth(
  sql: Sql,
  {
    pop,
    reports,
    nowMs,
  }: { readonly pop: string; readonly reports: readonly OriginReport[]; readonly nowMs: number },
): OriginReport[] {
  const changed: OriginReport[] = [];
  const before = new Map(
    stateTable.select(sql, 'WHERE pop = ?', pop).map((row) => [`${row.poolId} ${row.origin}`, row]),
  );
  sql.exec('DELETE FROM origin_health WHERE pop = ? OR said_ms < ?', pop, nowMs - healthKnownMs);
  for (const { rttMs, ...report } of reports) {
    const row = { ...report, pop, rttMs: Math.round(rttMs), saidMs: nowMs };
    stateTable.put(sql, row);
    const wasHealthy = before.get(`${row.poolId} ${row.origin}`)?.isHealthy ?? true;
    if (wasHealthy === row.isHealthy) continue;
    eventTable.put(sql, row);
    changed.push(row);
  }
  sql.exec(
    'DELETE FROM origin_health_events WHERE rowid <= (SELECT max(rowid) FROM origin_health_events) - ?',
    healthEventsKept,
  );
  return changed;
}

export function readPoolHealth(
  sql: Sql,
  poolId: string,
  { nowMs, isUp }: { readonly nowMs: number; readonly isUp: (healthy: number) => boolean },
): Result<'pools.health'>['pop_health'] {
  const rows = stateTable.select(
    sql,
    'WHERE pool_id = ? AND said_ms >= ? ORDER BY pop, rowid',
    poolId,
    nowMs - healthKnownMs,
  );
  const byPop = Map.groupBy(rows, ({ pop }) => pop);
  return Object.fromEntries(
    Array.from(byPop, ([pop, origins]) => [
      pop,
      {
        healthy: isUp(origins.filter(({ isHealthy }) => isHealthy).length),
        origins: origins.map(({ address, isHealthy, rttMs, reason, status, sinceMs }) => ({
          [address]: {
            healthy: isHealthy,
            ...(rttMs === 0 ? {} : { rtt: `${rttMs}ms` }),
            ...(reason === '' ? {} : { failure_reason: reason }),
            ...(status === 0 ? {} : { response_code: status }),
            since: toMicroseconds(sinceMs),
          },
        })),
      },
    ]),
  );
}

export function listHealthEvents(sql: Sql, poolId: string): Result<'pools.events'> {
  return eventTable
    .select(sql, 'WHERE pool_id = ? ORDER BY since_ms DESC LIMIT 100', poolId)
    .map(({ pop, origin, address, isHealthy, reason, sinceMs }) => ({
      timestamp: toMicroseconds(sinceMs),
      pop,
      origin: {
        name: origin,
        address,
        healthy: isHealthy,
        ...(reason === '' ? {} : { failure_reason: reason }),
      },
    }));
}

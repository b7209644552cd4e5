/** The progress of a zone from the legacy managed rules to the managed rulesets. It only moves forward. */
import { assert } from '#base';
import { type MigrationState, migrationStates } from '#firewall';
import type { Context, ZoneContext } from '../context/handler.ts';
import type { Sql } from '../context/tables/sql.ts';

export const migrationTables = [
  `CREATE TABLE IF NOT EXISTS migration (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    state TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  )`,
  // Has a row while the rules of the managed entry point only log. It is a separate table so that existing databases get it.
  `CREATE TABLE IF NOT EXISTS migration_watch (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    since_ms INTEGER NOT NULL
  )`,
];

/** What a zone has stored about its migration; undefined before the first step. */
interface MigrationRecord {
  readonly state: MigrationState;
  /** The time of the first step. */
  readonly createdAtMs: number;
}

export function readMigrationRecord(sql: Sql): MigrationRecord | undefined {
  const [row] = sql.exec<{ state: MigrationState; created_ms: number }>(
    'SELECT state, created_ms FROM migration',
  );
  return row && { state: row.state, createdAtMs: row.created_ms };
}

export function readMigrationState(sql: Sql): MigrationState {
  return readMigrationRecord(sql)?.state ?? 'start';
}

/** Whether the legacy managed rules were removed. */
export function isMigrated({ sql }: Pick<Context, 'sql'>): boolean {
  return readMigrationState(sql) === 'complete';
}

/** Whether the zone's managed rulesets only log, whatever their actions say. Only validation mode has this choice. */
export function isWatched(sql: Sql): boolean {
  if (readMigrationState(sql) !== 'validation') return false;
  return sql.exec('SELECT one FROM migration_watch').toArray().length > 0;
}

/** Starts or stops watching. */
export function setWatched({ sql, nowMs, zone, audit }: ZoneContext, to: boolean): void {
  const from = isWatched(sql);
  if (from === to) return;
  sql.exec('DELETE FROM migration_watch');
  if (to) sql.exec('INSERT INTO migration_watch VALUES (1, ?)', nowMs);
  const state = readMigrationState(sql);
  audit({
    resource: 'waf_migration',
    id: zone.id,
    before: { migration_state: state, watched: from },
    after: { migration_state: state, watched: to },
  });
}

/** Stores a step; does nothing if the zone is already there. */
export function advanceMigration({ sql, nowMs, zone, audit }: ZoneContext, to: MigrationState): void {
  const from = readMigrationState(sql);
  assert(
    migrationStates.indexOf(to) >= migrationStates.indexOf(from),
    `a migration cannot go back from ${from} to ${to}`,
  );
  if (from === to) return;
  sql.exec(
    'INSERT INTO migration VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET state = excluded.state',
    to,
    nowMs,
  );
  audit({
    resource: 'waf_migration',
    id: zone.id,
    before: { migration_state: from },
    after: { migration_state: to },
  });
}

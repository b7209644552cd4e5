/** How far a zone is on its way from the previous managed rules to the managed rulesets. It only ever moves forward. */
import { assert } from '#base';
import { type MigrationState, migrationStates } from '#firewall';
import type { Context, ZoneContext } from '../context/handler.ts';
import type { Sql } from '../context/sql.ts';

export const migrationTables = [
  `CREATE TABLE IF NOT EXISTS migration (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    state TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  )`,
  // A row while the rules of the managed entry point are watched: a table of its own, so that older databases get it.
  `CREATE TABLE IF NOT EXISTS migration_watch (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    since_ms INTEGER NOT NULL
  )`,
];

/** What a zone has noted of its migration; nothing before the first step. */
interface MigrationRecord {
  readonly state: MigrationState;
  /** When the first step was made. */
  readonly createdAtMs: number;
}

export function migrationRecord(sql: Sql): MigrationRecord | undefined {
  const [row] = sql.exec<{ state: MigrationState; created_ms: number }>(
    'SELECT state, created_ms FROM migration',
  );
  return row && { state: row.state, createdAtMs: row.created_ms };
}

export function migrationState(sql: Sql): MigrationState {
  return migrationRecord(sql)?.state ?? 'start';
}

/** Whether the previous managed rules are gone. */
export function isMigrated({ sql }: Pick<Context, 'sql'>): boolean {
  return migrationState(sql) === 'complete';
}

/** Whether the zone's managed rulesets only log, whatever their actions: a choice that validation mode has, and nothing else. */
export function isWatched(sql: Sql): boolean {
  if (migrationState(sql) !== 'validation') return false;
  return sql.exec('SELECT one FROM migration_watch').toArray().length > 0;
}

/** Begins or ends watching. */
export function setWatched({ sql, nowMs, zone, audit }: ZoneContext, to: boolean): void {
  const from = isWatched(sql);
  if (from === to) return;
  sql.exec('DELETE FROM migration_watch');
  if (to) sql.exec('INSERT INTO migration_watch VALUES (1, ?)', nowMs);
  const state = migrationState(sql);
  audit({
    resource: 'waf_migration',
    id: zone.id,
    before: { migration_state: state, watched: from },
    after: { migration_state: state, watched: to },
  });
}

/** Notes a step; none if the zone is there already. */
export function advanceMigration({ sql, nowMs, zone, audit }: ZoneContext, to: MigrationState): void {
  const from = migrationState(sql);
  assert(
    migrationStates.indexOf(to) >= migrationStates.indexOf(from),
    `a migration does not go back from ${from} to ${to}`,
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

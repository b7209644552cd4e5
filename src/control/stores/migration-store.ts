/** How far a zone is on its way from the previous managed rules to the managed rulesets. It only ever moves forward. */
import { assert } from '#base';
import type { MigrationState } from '#firewall';
import type { Context, ZoneContext } from '../context/handler.ts';
import type { Sql } from '../context/sql.ts';

export const migrationTables = [
  `CREATE TABLE IF NOT EXISTS migration (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    state TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  )`,
];

const states: readonly MigrationState[] = ['start', 'validation', 'pending', 'complete'];

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

/** Notes a step; none if the zone is there already. */
export function advanceMigration({ sql, nowMs, zone, audit }: ZoneContext, to: MigrationState): void {
  const from = migrationState(sql);
  assert(states.indexOf(to) >= states.indexOf(from), `a migration does not go back from ${from} to ${to}`);
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

/** The progress of a zone from the legacy managed rules to the managed rulesets. It only moves forward. */
import { assert } from '#base';
import { type MigrationState, migrationStates } from '#firewall';
import type { Context, ZoneContext } from '../context/handler.ts';
import { text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { Table } from '../context/tables/table.ts';

/** The state of a zone's migration: none before the first step, whose time it includes. */
export const migrationTable = new Table('migration', {
  key: [],
  columns: { state: text<MigrationState>(), createdAtMs: whole() },
});

/**
 * Has a row while the rules of the managed entry point only log. It is a separate table so that existing databases get it.
 */
export const migrationWatchTable = new Table('migration_watch', { key: [], columns: { sinceMs: whole() } });

export function readMigrationState(sql: Sql): MigrationState {
  return migrationTable.get(sql)?.state ?? 'start';
}

/** Whether the legacy managed rules were removed. */
export function isMigrated({ sql }: Pick<Context, 'sql'>): boolean {
  return readMigrationState(sql) === 'complete';
}

/** Whether the zone's managed rulesets only log, whatever their actions say. Only validation mode has this choice. */
export function isWatched(sql: Sql): boolean {
  if (readMigrationState(sql) !== 'validation') return false;
  return migrationWatchTable.get(sql) !== undefined;
}

/** Starts or stops watching. */
export function setWatched({ sql, nowMs, zone, audit }: ZoneContext, to: boolean): void {
  const from = isWatched(sql);
  if (from === to) return;
  if (to) migrationWatchTable.put(sql, { sinceMs: nowMs });
  else migrationWatchTable.remove(sql);
  const state = readMigrationState(sql);
  audit({
    resource: 'waf_migration',
    id: zone.id,
    before: { migration_state: state, watched: from },
    after: { migration_state: state, watched: to },
  });
}

/** Stores a step; does nothing if the zone has already reached it. */
export function advanceMigration({ sql, nowMs, zone, audit }: ZoneContext, to: MigrationState): void {
  const from = readMigrationState(sql);
  assert(
    migrationStates.indexOf(to) >= migrationStates.indexOf(from),
    `a migration cannot go back from ${from} to ${to}`,
  );
  if (from === to) return;
  migrationTable.put(sql, { state: to, createdAtMs: migrationTable.get(sql)?.createdAtMs ?? nowMs });
  audit({
    resource: 'waf_migration',
    id: zone.id,
    before: { migration_state: from },
    after: { migration_state: to },
  });
}

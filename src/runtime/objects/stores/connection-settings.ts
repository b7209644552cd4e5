/** The connection settings that an object's SQL can change beyond a transaction, and their defaults. */
import type { SqlDatabase } from '#sqlite';

const freshSettings: Readonly<Record<string, number>> = {
  defer_foreign_keys: 0,
  foreign_keys: 1,
  ignore_check_constraints: 0,
  legacy_alter_table: 0,
  recursive_triggers: 0,
  reverse_unordered_selects: 0,
};

/** The statements that make a fresh connection behave like this one; for most connections there are none. */
export function statementsForSettings(database: SqlDatabase): string[] {
  return Object.entries(freshSettings).flatMap(([name, fresh]) => {
    using statement = database.prepareTrusted(`PRAGMA ${name}`, { arrays: true });
    const [value] = statement.get<[number]>()!;
    return value === fresh ? [] : [`PRAGMA ${name} = ${value}`];
  });
}

/** How many pages the connection's write-ahead log contains. */
export function framesInLog(database: SqlDatabase): number {
  using statement = database.prepareTrusted('PRAGMA wal_checkpoint(NOOP)', { arrays: true });
  const [, frames] = statement.get<[busy: number, frames: number]>()!;
  return frames;
}

/** The connection settings that an object's SQL can change beyond a transaction, and their defaults. */
import type { SqlDatabase, TrustedStatement } from '#sqlite';

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

type Verb = 'BEGIN' | 'COMMIT' | 'SAVEPOINT' | 'RELEASE' | 'ROLLBACK TO';

/** The statements that begin and end transactions. They are used constantly, so each is compiled once per handle. */
export class ControlStatements {
  readonly #database: SqlDatabase;
  readonly #statements: Partial<Record<Verb, TrustedStatement[]>> = {};

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  run(verb: Verb, savepoint = 0): void {
    const statements = (this.#statements[verb] ??= []);
    statements[savepoint] ??= this.#database.prepareTrusted(
      verb === 'BEGIN' || verb === 'COMMIT' ? verb : `${verb} _cf_savepoint_${savepoint}`,
    );
    statements[savepoint].execute();
  }
}

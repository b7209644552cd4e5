import type { SqlDatabase, TrustedStatement } from '#sqlite';

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

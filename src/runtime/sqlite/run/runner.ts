/**
 * Runs an object's SQL: finds or compiles its statements, starts them, and tracks the runs that are not over.
 *
 * Invariants:
 * - A statement in the cache is not running and was compiled for the current schema.
 * - At most one run is unsettled (see `execution.ts`), and it is settled before anything else starts.
 */
import type { DatabaseSync } from 'node:sqlite';
import { noteStatement, noteStatementEnd, type WorkName } from '#work';
import { Authorizer } from '../guard/authorizer.ts';
import type { BoundValue } from '../bindings.ts';
import { Compiler } from './compiler.ts';
import { isNativeError, toSqlError } from '../errors.ts';
import { Execution, type ExecutionHost, type Generation } from './execution.ts';
import type { SqlLimits } from '../limits.ts';
import type { StatementSync } from './native-statement.ts';
import { OpenExecutions } from './open-executions.ts';
import type { Statement } from './statement.ts';
import { StatementCache } from './statement-cache.ts';
import { type StatementText, splitStatements } from '../text/statements.ts';

interface RunnerOptions {
  readonly limits: SqlLimits;
  readonly object: WorkName | undefined;
  readonly beforeWrite: () => void;
  readonly beforeChangesRead: () => void;
  readonly afterDeferralSet: () => void;
  readonly afterSchemaChange: () => void;
  readonly afterFailure: (error: unknown) => void;
}

export class Runner implements ExecutionHost {
  readonly authorizer = new Authorizer();
  unsettled: Execution | undefined;
  readonly #options: RunnerOptions;
  readonly #database: DatabaseSync;
  readonly #compiler: Compiler;
  readonly #cache = new StatementCache();
  readonly #open = new OpenExecutions();
  #schemaVersion = 0;
  #generation: Generation = { canceled: undefined };
  #totalChanges: StatementSync | undefined;
  /** What was recorded as current work before the running statement. */
  #objectBefore = 0;

  constructor(database: DatabaseSync, options: RunnerOptions) {
    this.#options = options;
    this.#database = database;
    this.#compiler = new Compiler(database, this.authorizer, {
      variableNumberMax: options.limits.variableNumber,
    });
    database.setAuthorizer(this.authorizer.authorize);
  }

  /** Runs all statements of the text, the last one with the values, and returns the run of the last one. */
  run(sql: string, values: BoundValue[]): Execution {
    this.settle();
    return this.#execute(this.#cache.get(sql) ?? this.#runUpToLast(sql), values);
  }

  /** Called before anything else changes the database. */
  settle(): void {
    this.unsettled?.settle();
  }

  /** Settles first: whether a run on a row was abandoned is known only once it is garbage-collected. */
  get openCount(): number {
    this.settle();
    return this.#open.size;
  }

  /** Statements compiled earlier may have another meaning now, or none. */
  forgetStatements(): void {
    this.#schemaVersion++;
    this.#cache.clear();
  }

  /** Ends all runs that are not over. Reading more from them throws an error with this message. */
  cancel(message: string): void {
    this.unsettled = undefined;
    this.#generation.canceled = message;
    this.#generation = { canceled: undefined };
    for (const execution of this.#open) execution.cancel(new Error(message));
    this.#open.clear();
  }

  enter({ work }: Statement): void {
    this.authorizer.guarded = true;
    this.#objectBefore = noteStatement(work.number, this.#options.object?.number ?? 0);
  }

  leave(): void {
    noteStatementEnd(this.#objectBefore);
    this.authorizer.guarded = false;
  }

  hold(execution: Execution): void {
    this.#cache.remove(execution.statement);
    this.#open.add(execution);
  }

  letGo(execution: Execution): void {
    const { statement } = execution;
    this.#open.delete(execution);
    if (statement.schemaVersion === this.#schemaVersion) this.#cache.add(statement);
    else statement.close();
  }

  fail(error: unknown): unknown {
    const reported = isNativeError(error) ? toSqlError(error) : error;
    this.#options.afterFailure(reported);
    return reported;
  }

  totalChanges(): number {
    this.#totalChanges ??= this.#database.prepare('SELECT total_changes() AS total');
    return Number(this.#totalChanges.get()!.total);
  }

  #runUpToLast(sql: string): Statement {
    const statements = this.#split(sql);
    const last = statements.pop();
    if (last === undefined) throw new Error('SQL code did not contain a statement.');
    for (const text of statements) this.#runEarlier(text);
    return this.#compile(last);
  }

  #split(sql: string): StatementText[] {
    const { sqlLength } = this.#options.limits;
    if (sql.length > sqlLength || Buffer.byteLength(sql) > sqlLength) {
      throw new Error('statement too long: SQLITE_TOOBIG');
    }
    // SQLite would treat it as the end of the text and ignore the rest.
    const nul = sql.indexOf('\0');
    if (nul >= 0) {
      const offset = Buffer.byteLength(sql.slice(0, nul));
      throw new Error(`unrecognized token: "\\0" at offset ${offset}: SQLITE_ERROR`);
    }
    return splitStatements(sql);
  }

  /** A statement before the last one is run up to its first row and forgotten. */
  #runEarlier(text: StatementText): void {
    const statement = this.#compile(text);
    if (statement.parameterCount > 0) {
      throw new Error(
        'When executing multiple SQL statements in a single call, only the last statement can have parameters.',
      );
    }
    statement.isCounted = false;
    this.#execute(statement, []).abandon();
  }

  #compile(text: StatementText): Statement {
    const cached = this.#cache.get(text.sql);
    if (cached !== undefined) return cached;
    const statement = this.#compiler.compile(text, this.#schemaVersion);
    if (statement.reusable) this.#cache.add(statement);
    return statement;
  }

  #execute(statement: Statement, values: BoundValue[]): Execution {
    if (statement.parameterCount !== values.length) {
      throw new Error('Wrong number of parameter bindings for SQL query.');
    }
    if (statement.readsChanges) this.#options.beforeChangesRead();
    if (statement.writes) this.#options.beforeWrite();
    const execution = new Execution(this, this.#generation, statement, values);
    if (statement.setsDeferral) this.#options.afterDeferralSet();
    if (statement.changesSchema) {
      this.forgetStatements();
      this.#options.afterSchemaChange();
    }
    return execution;
  }
}

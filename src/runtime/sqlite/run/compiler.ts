/**
 * Compiles SQL text to a statement: refuses what the authorizer does not check, rewrites what Node's SQLite cannot
 * parse, compiles under guard, reports errors with their offsets.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { ExplainRow } from '../row-counts/bytecode.ts';
import type { Authorizer } from '../guard/authorizer.ts';
import { isNativeError, toSqlError } from '../errors.ts';
import type { StatementSync } from './native-statement.ts';
import { Statement } from './statement.ts';
import { findErrorOffset } from '../text/error-offset.ts';
import { findForbidden } from '../text/forbidden.ts';
import { rewriteLimitedWrite } from '../text/limited-writes.ts';
import { numberParameters } from '../text/parameters.ts';
import { type StatementText, splitStatements } from '../text/statements.ts';

export class Compiler {
  readonly #database: DatabaseSync;
  readonly #authorizer: Authorizer;
  readonly #variableNumberMax: number;

  constructor(
    database: DatabaseSync,
    authorizer: Authorizer,
    { variableNumberMax }: { variableNumberMax: number },
  ) {
    this.#database = database;
    this.#authorizer = authorizer;
    this.#variableNumberMax = variableNumberMax;
  }

  /** Compiles one statement of an object's SQL. Throws the error that its code should see. */
  compile(text: StatementText, schemaVersion: number): Statement {
    const forbidden = findForbidden(text.tokens);
    if (forbidden !== undefined) throw new Error(forbidden);
    const rewritten = this.#rewrite(text);
    const handle = this.#prepareGuarded(rewritten ?? text.sql, text);
    const seen = this.#authorizer.takeSeen();
    const parameters = numberParameters(text.tokens);
    const verb = text.tokens[0]!.keyword;
    // The statement is long-lived: it keeps these texts and not the tokens.
    const explained = rewritten ?? text.sql.slice(text.tokens[0]!.start);
    return new Statement({
      sql: text.sql,
      handle,
      explain: this.#explainer(explained),
      // Explaining a pragma that changes a setting would change it.
      explainable: verb !== 'EXPLAIN' && !(verb === 'PRAGMA' && seen.changesSchema),
      parameterCount: parameters.count,
      parameterNames: rewritten === undefined ? parameters.names : new Map(),
      // A SELECT never writes, though opening a virtual table may compile statements that would.
      writes:
        verb !== 'SELECT' &&
        verb !== 'VALUES' &&
        (seen.writesRows || (seen.changesSchema && verb !== 'PRAGMA')),
      changesSchema: seen.changesSchema,
      readsChanges: seen.readsChanges,
      setsDeferral: seen.setsDeferral,
      // Some pragmas take effect when they are compiled, so to run one again it must be compiled again.
      reusable: verb !== 'PRAGMA',
      schemaVersion,
    });
  }

  #prepareGuarded(sql: string, text: StatementText): StatementSync {
    this.#authorizer.takeSeen();
    this.#authorizer.guarded = true;
    try {
      return this.#database.prepare(sql);
    } catch (error) {
      if (!isNativeError(error)) throw error;
      const diagnose = (changed: string): string | undefined => this.#diagnose(changed);
      throw toSqlError(error, findErrorOffset(error.message, text, diagnose, this.#variableNumberMax));
    } finally {
      this.#authorizer.guarded = false;
    }
  }

  /** Called while guarded: the changed copies are as untrusted as the statement. */
  #diagnose(sql: string): string | undefined {
    try {
      const [text] = splitStatements(sql);
      if (text !== undefined) this.#database.prepare(this.#rewrite(text) ?? sql).close();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : undefined;
    } finally {
      this.#authorizer.guarded = true;
    }
  }

  #rewrite(text: StatementText): string | undefined {
    return rewriteLimitedWrite(text.sql, text.tokens, (table) => this.#keyOf(table));
  }

  /** The columns that identify a table's rows. A missing table is left for SQLite to report. */
  #keyOf(table: string): readonly string[] {
    this.#authorizer.guarded = false;
    const columns = this.#queryOnce<{ name: string; pk: number }>(
      'SELECT name, pk FROM pragma_table_xinfo(?) ORDER BY pk',
      table,
    );
    const [listed] = this.#queryOnce<{ wr: number }>(
      "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
      table,
    );
    if (listed?.wr === 1) {
      return columns.filter(({ pk }) => pk > 0).map(({ name }) => `"${name.replaceAll('"', '""')}"`);
    }
    const names = new Set(columns.map(({ name }) => name.toLowerCase()));
    const rowid = ['rowid', '_rowid_', 'oid'].find((name) => !names.has(name));
    if (rowid === undefined) {
      throw new Error(
        `LIMIT cannot be used on ${table}: its columns hide all three names of the row id: SQLITE_ERROR`,
      );
    }
    return [rowid];
  }

  #explainer(sql: string): () => ExplainRow[] {
    return () => this.#queryOnce<ExplainRow>(`EXPLAIN ${sql}`);
  }

  /** Finalized at once: the garbage collector does not account for the memory of a statement. */
  #queryOnce<Row>(sql: string, ...values: string[]): Row[] {
    const handle = this.#database.prepare(sql);
    try {
      return handle.all(...values) as Row[];
    } finally {
      handle.close();
    }
  }
}

/** `env.DB`: a D1 database, as code of a Worker sees it. */
import type { OpenObject } from '../open-object.ts';
import { createD1Error, D1PreparedStatement, type D1Result, toQuery, toResult } from './d1-statement.ts';
import type { D1DatabaseObject } from './d1-object.ts';
import { D1DatabaseSession, hasStatement, runQueries, sendQueries } from './d1-session.ts';

export class D1Database {
  readonly #open: OpenObject<D1DatabaseObject>;
  readonly #name: string;

  constructor(open: OpenObject<D1DatabaseObject>, name: string) {
    this.#open = open;
    this.#name = name;
  }

  prepare(sql: string): D1PreparedStatement {
    return new D1PreparedStatement(this.#run, String(sql));
  }

  async batch(statements: readonly D1PreparedStatement[]): Promise<D1Result[]> {
    return (await this.#run(statements.map(toQuery))).map(toResult);
  }

  /** Runs the statement on each line, all of them in one transaction. */
  async exec(text: string): Promise<{ readonly count: number; readonly duration: number }> {
    const lines = String(text)
      .trim()
      .split('\n')
      .map((sql, index) => ({ sql, params: [], number: index + 1 }))
      .filter(hasStatement);
    if (lines.length === 0)
      throw createD1Error('D1_EXEC_ERROR', 'Error in line 1: : No SQL statements detected.');
    const queries = lines.map(({ sql, params }) => ({ sql, params }));
    const outcome = await sendQueries(this.#open, queries, false);
    if ('error' in outcome) {
      const { number, sql } = lines[outcome.at]!;
      throw createD1Error('D1_EXEC_ERROR', `Error in line ${number}: ${sql}: ${outcome.error}`);
    }
    const duration = outcome.results.reduce((sum, { meta }) => sum + meta.duration, 0);
    return { count: outcome.results.length, duration };
  }

  withSession(constraintOrBookmark?: string): D1DatabaseSession {
    const asked = constraintOrBookmark?.trim() ?? '';
    return new D1DatabaseSession(this.#open, asked === '' ? 'first-unconstrained' : asked);
  }

  /** Only databases of D1's alpha support it. */
  async dump(): Promise<never> {
    throw createD1Error(
      'D1_DUMP_ERROR',
      `dump() is for databases of the alpha of D1; run gatehouse objects export d1_databases ${this.#name} FILE instead`,
    );
  }

  readonly #run = async (queries: readonly ReturnType<typeof toQuery>[]) =>
    (await runQueries(this.#open, queries, false)).results;
}

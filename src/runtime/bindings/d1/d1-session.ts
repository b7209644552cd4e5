/**
 * A session of a D1 database: queries that see each other in order. There is one database and no replica, so every
 * session sees everything; its bookmark is the position of the object's history after its last query.
 */
import type { OpenObject } from '../open-object.ts';
import { createD1Error, D1PreparedStatement, type D1Result, toQuery, toResult } from './d1-statement.ts';
import type { D1DatabaseObject, D1Query, D1Rows } from './d1-object.ts';

const constraints: ReadonlySet<string> = new Set(['first-primary', 'first-unconstrained']);

export class D1DatabaseSession {
  readonly #open: OpenObject<D1DatabaseObject>;
  #bookmark: string | null;

  constructor(open: OpenObject<D1DatabaseObject>, constraintOrBookmark: string) {
    this.#open = open;
    this.#bookmark = constraints.has(constraintOrBookmark) ? null : constraintOrBookmark;
  }

  prepare(sql: string): D1PreparedStatement {
    return new D1PreparedStatement(this.#run, String(sql));
  }

  async batch(statements: readonly D1PreparedStatement[]): Promise<D1Result[]> {
    return (await this.#run(statements.map(toQuery))).map(toResult);
  }

  /** The latest position that this session has seen; null before its first query, unless it started from one. */
  getBookmark(): string | null {
    return this.#bookmark;
  }

  readonly #run = async (queries: readonly D1Query[]): Promise<readonly D1Rows[]> => {
    const { results, bookmark } = await runQueries(this.#open, queries, true);
    // Answers may arrive in another order than the queries were sent. Bookmarks sort by time.
    if (bookmark !== undefined && (this.#bookmark === null || this.#bookmark < bookmark))
      this.#bookmark = bookmark;
    return results;
  };
}

/** Runs queries in one transaction. */
export async function runQueries(
  open: OpenObject<D1DatabaseObject>,
  queries: readonly D1Query[],
  wantsBookmark: boolean,
): Promise<{ readonly results: readonly D1Rows[]; readonly bookmark: string | undefined }> {
  const outcome = await sendQueries(open, queries.filter(hasStatement), wantsBookmark);
  if ('error' in outcome) throw createD1Error('D1_ERROR', outcome.error);
  return outcome;
}

/** The results of queries that each have a statement; there must be at least one query. */
export async function sendQueries(
  open: OpenObject<D1DatabaseObject>,
  queries: readonly D1Query[],
  wantsBookmark: boolean,
): Promise<Awaited<ReturnType<D1DatabaseObject['query']>>> {
  if (queries.length === 0) throw createD1Error('D1_ERROR', 'No SQL statements detected.');
  try {
    return await open().query(queries, wantsBookmark);
  } catch (error) {
    throw createD1Error('D1_ERROR', error instanceof Error ? error.message : String(error));
  }
}

/** Whether a text contains more than single-line comments. */
export function hasStatement({ sql }: D1Query): boolean {
  return sql.split('\n').some((line) => !/^\s*(?:--|$)/.test(line));
}

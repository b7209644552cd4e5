import { statementCacheBytesMax, statementCacheEntriesMax } from '../limits.ts';
import type { Statement } from './statement.ts';

/**
 * Statements that are not running, by their text. A statement in use by an open cursor is not in the cache, so what is
 * found can always be run, and a cursor that is dropped takes its statement with it.
 *
 * When there are too many, the least recently used is evicted. Finding it means looking at all of them, which is cheap
 * compared with compiling the one that replaces it.
 */
export class StatementCache {
  readonly #statements = new Map<string, Statement>();
  readonly #bytesMax: number;
  readonly #entriesMax: number;
  #bytes = 0;
  #uses = 0;

  constructor({ bytesMax = statementCacheBytesMax, entriesMax = statementCacheEntriesMax } = {}) {
    this.#bytesMax = bytesMax;
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#statements.size;
  }

  get(sql: string): Statement | undefined {
    const statement = this.#statements.get(sql);
    if (statement !== undefined) statement.lastUse = ++this.#uses;
    return statement;
  }

  /** Keeps a statement that is not running, unless another one with the same text is cached already. */
  add(statement: Statement): void {
    if (!statement.reusable || this.#statements.has(statement.sql)) {
      statement.close();
      return;
    }
    statement.lastUse = ++this.#uses;
    this.#statements.set(statement.sql, statement);
    this.#bytes += Buffer.byteLength(statement.sql);
    while (this.#bytes > this.#bytesMax || this.#statements.size > this.#entriesMax) this.#dropOldest();
  }

  /** Removes a statement because a cursor is about to hold it. */
  remove(statement: Statement): void {
    if (this.#statements.get(statement.sql) !== statement) return;
    this.#statements.delete(statement.sql);
    this.#bytes -= Buffer.byteLength(statement.sql);
  }

  clear(): void {
    for (const statement of this.#statements.values()) statement.close();
    this.#statements.clear();
    this.#bytes = 0;
  }

  #dropOldest(): void {
    let oldest: Statement | undefined;
    for (const statement of this.#statements.values()) {
      if (oldest === undefined || statement.lastUse < oldest.lastUse) oldest = statement;
    }
    if (oldest === undefined) return;
    this.remove(oldest);
    oldest.close();
  }
}

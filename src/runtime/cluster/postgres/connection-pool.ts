import { DatabaseError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import { writeAttemptsMax } from '../limits.ts';
import { PostgresConnection, type PostgresQuery } from './postgres-connection.ts';
import type { StatementNames } from './statement-names.ts';

/** A few connections, each for one user at a time; other users wait in line. */
export class ConnectionPool {
  readonly #connections: readonly PostgresConnection[];
  readonly #free: PostgresConnection[];
  readonly #waiting: Array<(connection: PostgresConnection) => void> = [];

  constructor(
    url: string,
    {
      size,
      ...options
    }: {
      readonly clock: LeaseClock;
      readonly answerMs: number;
      readonly names: StatementNames;
      readonly size: number;
    },
  ) {
    this.#connections = Array.from({ length: size }, () => new PostgresConnection(url, options));
    this.#free = [...this.#connections];
  }

  async query<Row extends object>(statement: PostgresQuery): Promise<Row[]> {
    return await this.use((connection) => connection.query<Row>(statement));
  }

  async use<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    // The most recently used one, so that few are open when there are few requests.
    const connection =
      this.#free.pop() ?? (await new Promise<PostgresConnection>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(connection);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(connection);
      else next(connection);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}

/** Runs a write again while its outcome is unknown, or another interferes: it may be done any number of times. */
export async function repeatWrite<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.reason === 'refused' || attempt === writeAttemptsMax)
        throw error;
    }
  }
}

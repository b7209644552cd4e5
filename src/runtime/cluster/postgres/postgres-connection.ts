/**
 * One connection to the database, opened when it is needed and reopened when it is lost. None of its state outlives a
 * statement, except the statements that the server has prepared, so a pooler may be in between.
 *
 * A statement is never cancelled: a commit that is cancelled while it waits for a standby is answered as done and may
 * be lost. If there is no answer in time the connection is closed, and the outcome is unknown.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import pg from 'pg';
import { BackOff } from '#base';
import { runPrivileged } from '#work';
import { DatabaseError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import { answerMsMax, conflictMsMax, conflictMsMin } from '../limits.ts';
import { classifyError, isNameLost, isSerializationFailure } from './classify.ts';
import { splitSchema } from './schema-name.ts';
import { StatementNames } from './statement-names.ts';

export interface PostgresQuery {
  /** The name to prepare it under, if possible; without one it is parsed each time. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** The code of a notice that a standby did not confirm a commit. */
const warning = '01000';

export class PostgresConnection {
  readonly #url: string;
  readonly #qualify: (text: string) => string;
  readonly #clock: LeaseClock;
  readonly #answerMs: number;
  readonly #isPipelined: boolean;
  readonly #names: StatementNames;
  #client: Promise<pg.Client> | undefined;
  /** Runs the client library, which serves every object, outside the context of the object that happens to call. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #warnings = 0;
  #isClosed = false;

  constructor(
    url: string,
    {
      clock,
      answerMs = answerMsMax,
      isPipelined = false,
      names = new StatementNames(),
    }: {
      readonly clock: LeaseClock;
      /** Without an answer for this long, the connection is closed. */
      readonly answerMs?: number;
      readonly isPipelined?: boolean;
      /** Shared by all connections to the same database. */
      readonly names?: StatementNames;
    },
  ) {
    ({ url: this.#url, qualify: this.#qualify } = splitSchema(url));
    this.#clock = clock;
    this.#answerMs = Math.min(answerMs, answerMsMax);
    this.#isPipelined = isPipelined;
    this.#names = names;
  }

  /** Repeats a statement that conflicted with another: none of it was done. */
  query<Row extends object>(statement: PostgresQuery): Promise<Row[]> {
    return this.#apart(() =>
      this.#insist(isSerializationFailure, async () => this.#ask<Row>(await this.#connect(), statement)),
    );
  }

  /**
   * Runs several statements as one transaction, and repeats all of them after a conflict. Not for a pipelined
   * connection.
   */
  transact<T>(work: (query: (statement: PostgresQuery) => Promise<object[]>) => Promise<T>): Promise<T> {
    return this.#apart(() =>
      this.#insist(
        ({ reason }) => reason === 'conflict',
        async () => {
          // Always the same client: on another, a statement would be a transaction of its own.
          const client = await this.#connect();
          await this.#ask(client, { text: 'BEGIN' });
          try {
            const result = await work((statement) => this.#ask(client, statement));
            await this.#ask(client, { text: 'COMMIT' });
            return result;
          } catch (error) {
            await this.#ask(client, { text: 'ROLLBACK' }).catch(() => {});
            throw error;
          }
        },
      ),
    );
  }

  async #insist<T>(isTransient: (error: DatabaseError) => boolean, attempt: () => Promise<T>): Promise<T> {
    const begunAt = this.#clock.now();
    let backOff: BackOff | undefined;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const isLate = this.#clock.now() - begunAt > this.#answerMs;
        if (isLate || !(error instanceof DatabaseError) || !isTransient(error)) throw error;
      }
      backOff ??= new BackOff({ msMin: conflictMsMin, msMax: conflictMsMax });
      const delayMs = backOff.next();
      await new Promise<void>((resolve) => void this.#clock.setTimer(delayMs, resolve));
    }
  }

  async #ask<Row extends object>(client: pg.Client, given: PostgresQuery): Promise<Row[]> {
    const statement = { ...given, text: this.#qualify(given.text) };
    const name = this.#names.nameOf(statement);
    try {
      return await this.#send<Row>(client, statement, name);
    } catch (error) {
      if (name === undefined || !(error instanceof DatabaseError) || !isNameLost(error)) throw error;
      this.#names.lose();
      return await this.#send<Row>(client, statement, undefined);
    }
  }

  async #send<Row extends object>(
    client: pg.Client,
    { text, values = [] }: PostgresQuery,
    name: string | undefined,
  ): Promise<Row[]> {
    const warningsBefore = this.#warnings;
    const timer = this.#clock.setTimer(this.#answerMs, () => this.#end(client));
    try {
      const config = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      const { rows } = await client.query<Row>(config);
      if (this.#warnings === warningsBefore) return rows;
    } catch (error) {
      throw classifyError(error);
    } finally {
      timer.cancel();
    }
    const message = 'the database of the cluster warned that a commit may not have reached its standby';
    throw new DatabaseError(message, { outcome: 'unknown', reason: 'away' });
  }

  /** Closes the current connection: what was sent on it has an unknown outcome. The next statement opens another. */
  giveUp(): void {
    void this.#client?.then(
      (client) => this.#end(client),
      () => {},
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => {});
  }

  #connect(): Promise<pg.Client> {
    if (this.#isClosed) {
      const message = 'the connection to the database of the cluster was closed';
      return Promise.reject(new DatabaseError(message, { outcome: 'no', reason: 'away' }));
    }
    this.#client ??= this.#open();
    return this.#client;
  }

  async #open(): Promise<pg.Client> {
    let client: pg.Client;
    try {
      // This reads files that the URL names.
      client = this.#createClient();
      await runPrivileged(() => client.connect());
    } catch (error) {
      this.#client = undefined;
      const { message } = classifyError(error);
      throw new DatabaseError(message, { outcome: 'no', reason: 'away', cause: error });
    }
    client.on('end', () => {
      this.#client = undefined;
    });
    return client;
  }

  #createClient(): pg.Client {
    const client = new pg.Client({
      connectionString: this.#url,
      pipeline: this.#isPipelined,
      keepAlive: true,
      connectionTimeoutMillis: this.#answerMs,
      application_name: 'gatehouse',
    });
    // Callers that wait for an answer also get the connection's errors.
    client.on('error', () => {});
    client.on('notice', ({ code }) => {
      if (code === warning) this.#warnings++;
    });
    return client;
  }

  /** Closes the socket, so that callers that wait for an answer get an error. */
  #end(client: pg.Client): void {
    (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
  }
}

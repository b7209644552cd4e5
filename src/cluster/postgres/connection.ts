/**
 * One connection to the database, made when it is needed and made again when it is lost. Nothing that it does outlives a
 * statement, but for the statements that the server has prepared, so a pooler may stand in between.
 *
 * A statement is never cancelled: a commit that is cancelled while it waits for a standby is answered as done and may be
 * lost. If there is no answer in time the connection is given up, and the outcome is unknown.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import pg from 'pg';
import { DatabaseError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import { answerMsMax } from '../limits.ts';
import { classifyError } from './classify.ts';

export interface Statement {
  /** Prepared under this name; without one it is parsed each time. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Of a notice that a commit was not confirmed by a standby. */
const warning = '01000';

export class Connection {
  readonly #url: string;
  readonly #clock: LeaseClock;
  readonly #answerMs: number;
  readonly #isPipelined: boolean;
  #client: Promise<pg.Client> | undefined;
  /** What the client library does serves every object, and is no work of the one that asks. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #warnings = 0;
  #isClosed = false;

  constructor(
    url: string,
    {
      clock,
      answerMs = answerMsMax,
      isPipelined = false,
    }: {
      readonly clock: LeaseClock;
      /** Without an answer for this long, the connection is given up. */
      readonly answerMs?: number;
      readonly isPipelined?: boolean;
    },
  ) {
    this.#url = url;
    this.#clock = clock;
    this.#answerMs = Math.min(answerMs, answerMsMax);
    this.#isPipelined = isPipelined;
  }

  query<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.#apart(() => this.#query<Row>(statement));
  }

  async #query<Row extends object>(statement: Statement): Promise<Row[]> {
    const client = await this.#connect();
    const warningsBefore = this.#warnings;
    const timer = this.#clock.setTimer(this.#answerMs, () => this.#giveUp(client));
    try {
      const { rows } = await client.query<Row>({ ...statement, values: [...(statement.values ?? [])] });
      if (this.#warnings === warningsBefore) return rows;
    } catch (error) {
      throw classifyError(error);
    } finally {
      timer.cancel();
    }
    const message = 'the database of the cluster warned that a commit may not have reached its standby';
    throw new DatabaseError(message, { outcome: 'unknown', reason: 'away' });
  }

  /** Several statements as one transaction. Not for a connection that is pipelined. */
  async transact<T>(work: (query: (statement: Statement) => Promise<object[]>) => Promise<T>): Promise<T> {
    await this.query({ text: 'BEGIN' });
    try {
      const result = await work((statement) => this.query(statement));
      await this.query({ text: 'COMMIT' });
      return result;
    } catch (error) {
      await this.query({ text: 'ROLLBACK' }).catch(() => {});
      throw error;
    }
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
    const client = new pg.Client({
      connectionString: this.#url,
      pipeline: this.#isPipelined,
      keepAlive: true,
      connectionTimeoutMillis: this.#answerMs,
      application_name: 'gatehouse',
    });
    // What is wrong with a connection, those who wait for an answer hear as well.
    client.on('error', () => {});
    client.on('notice', ({ code }) => {
      if (code === warning) this.#warnings++;
    });
    try {
      await client.connect();
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

  /** Ends the socket, so that whoever waits for an answer is told. */
  #giveUp(client: pg.Client): void {
    (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
  }
}

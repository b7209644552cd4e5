/**
 * A queue: an SQL object that stores messages and passes them to their consumer in batches.
 *
 * Promises:
 * - a message is on disk before `send` resolves, and stays there until the consumer has taken it, it is in the dead
 *   letter queue, or its retention (four days by default) has passed. So each is delivered at least once, despite
 *   crashes;
 * - an attempt is counted before it begins: a message that crashes the process is not tried forever;
 * - one batch is delivered at a time, by the alarm, which runs again after a crash, and after a consumer that hangs for
 *   longer than an alarm may run;
 * - a message that is taken over from another queue is taken over once, even if it has been delivered since;
 * - a message that is pulled is leased: it becomes visible again when the lease ends, and an expired lease acknowledges
 *   nothing, even if another client has leased the message since;
 * - the alarm is always set to when a batch is due: when it is full, or its oldest message has waited long enough.
 */
import { randomBytes } from 'node:crypto';
import { DurableObject, type DurableObjectState, type DurableObjectStub } from '#objects';
import {
  queueDelaySecondsMax,
  queueDeliveringMsMax,
  queueRetentionMs,
  queueRetentionMsMax,
  queueRetryMs,
} from '../limits.ts';
import type {
  BatchOutcome,
  DeliveredMessage,
  NewMessage,
  PulledMessage,
  PullOptions,
  QueueContentType,
  QueueMetrics,
  TakenMessages,
  WaitingMessage,
} from './queue-messages.ts';
import type { QueueConsumerSettings, QueueSettings } from './queue-settings.ts';

/** What queues need of the program around them. */
export interface QueuePorts {
  /** The consumer of a queue, if this program has it. */
  consumerOf(queue: string): QueueConsumerSettings | undefined;
  openQueue(queue: string): DurableObjectStub<QueueObject>;
  /** Calls the code of the consumer. Rejects if the call was not possible. */
  consume(queue: string, messages: readonly DeliveredMessage[], metrics: QueueMetrics): Promise<BatchOutcome>;
  log(message: string): void;
}

type MessageRow = {
  readonly number: number;
  readonly id: string;
  readonly timestamp: number;
  readonly content_type: QueueContentType;
  readonly body: ArrayBuffer;
  readonly attempts: number;
};

/** The key under which the object stores the settings. */
const settingsKey = 'settings';

const schema = `
  CREATE TABLE IF NOT EXISTS messages (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, timestamp INTEGER NOT NULL, due INTEGER NOT NULL,
    attempts INTEGER NOT NULL, content_type TEXT NOT NULL, body BLOB NOT NULL);
  CREATE INDEX IF NOT EXISTS dues ON messages (due, number);
  CREATE INDEX IF NOT EXISTS ages ON messages (timestamp);
  CREATE TABLE IF NOT EXISTS taken_over (id TEXT PRIMARY KEY, timestamp INTEGER NOT NULL) WITHOUT ROWID;
`;

export class QueueObject extends DurableObject {
  readonly #ports: QueuePorts;
  readonly #queue: string;
  /** Messages in this queue, and the total bytes of their bodies. */
  #count = 0;
  #bytes = 0;
  /** Undefined for a queue of a program, which knows the consumer. */
  #settings: QueueSettings | undefined;

  constructor(ctx: DurableObjectState, env: unknown, ports: QueuePorts) {
    super(ctx, env);
    this.#ports = ports;
    this.#queue = ctx.id.name ?? '';
    ctx.storage.sql.exec(schema);
    this.#settings = ctx.storage.kv.get<QueueSettings>(settingsKey);
    this.#countAll();
  }

  /** Sets the delivery options of a queue of an account. */
  async configure(settings: QueueSettings): Promise<void> {
    this.ctx.storage.kv.put(settingsKey, settings);
    this.#settings = settings;
    await this.schedule();
  }

  async purge(): Promise<void> {
    this.ctx.storage.sql.exec('DELETE FROM messages');
    this.#countAll();
    await this.schedule();
  }

  /** Deletes everything. */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.ctx.storage.sql.exec(schema);
    this.#settings = undefined;
    this.#countAll();
  }

  async enqueue(messages: readonly NewMessage[], delaySeconds = 0): Promise<QueueMetrics> {
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      for (const message of messages) {
        this.ctx.storage.sql.exec(
          'INSERT INTO messages (id, timestamp, due, attempts, content_type, body) VALUES (?, ?, ?, 0, ?, ?)',
          message.id ?? randomBytes(16).toString('hex'),
          message.timestamp ?? now,
          now + (message.delaySeconds ?? (delaySeconds || (this.#settings?.deliveryDelay ?? 0))) * 1000,
          message.contentType,
          message.body,
        );
      }
    });
    this.#count += messages.length;
    this.#bytes += messages.reduce((sum, { body }) => sum + body.length, 0);
    await this.schedule();
    return this.metrics();
  }

  /**
   * Accepts messages that wait in another queue, with their attempts there. Their ids are kept for as long as any queue
   * keeps a message: an older message cannot exist. Times that no queue could have assigned are from a clock that is
   * ahead: such a message counts as sent now, with at most the longest delay.
   */
  async takeOver(messages: readonly WaitingMessage[]): Promise<TakenMessages> {
    const { sql } = this.ctx.storage;
    const now = Date.now();
    const [kept, expired] = partition(messages, ({ timestamp }) => timestamp > now - this.#retentionMs);
    const latest = now + queueDelaySecondsMax * 1_000;
    let taken = 0;
    this.ctx.storage.transactionSync(() => {
      sql.exec('DELETE FROM taken_over WHERE timestamp <= ?', now - queueRetentionMsMax);
      for (const { id, timestamp, due, attempts, contentType, body } of kept) {
        const sent = Math.min(timestamp, now);
        const isNew = sql.exec('INSERT OR IGNORE INTO taken_over VALUES (?, ?) RETURNING 1', id, sent);
        if (isNew.toArray().length === 0) continue;
        sql.exec(
          'INSERT INTO messages (id, timestamp, due, attempts, content_type, body) VALUES (?, ?, ?, ?, ?, ?)',
          ...[id, sent, Math.min(due, latest), attempts, contentType, body],
        );
        taken++;
      }
    });
    this.#countAll();
    await this.schedule();
    return { taken, present: kept.length - taken, expired: expired.length };
  }

  /** Undefined if the queue does not allow pulling messages. */
  async pull({ count, visibleAfterMs }: PullOptions): Promise<PulledMessage[] | undefined> {
    const pull = this.#settings?.pull;
    if (pull === undefined) return undefined;
    if (this.#settings!.isPaused) return [];
    this.#dropOld();
    const [exhausted, others] = partition(this.#take(count), ({ attempts }) => attempts > pull.retriesMax);
    await this.#giveUp(exhausted, pull);
    const due = Date.now() + visibleAfterMs;
    for (const { number } of others)
      this.ctx.storage.sql.exec(
        'UPDATE messages SET attempts = attempts + 1, due = ? WHERE number = ?',
        due,
        number,
      );
    return others.map(({ number, id, timestamp, content_type, body, attempts }) => ({
      id,
      timestamp,
      contentType: content_type,
      body,
      attempts: attempts + 1,
      lease: `${number}.${due}`,
    }));
  }

  /** Settles pulled messages by their leases. Expired leases are not counted. */
  async settle(
    acknowledged: readonly string[],
    retried: readonly { readonly lease: string; readonly delaySeconds: number }[],
  ): Promise<{ readonly acknowledged: number; readonly retried: number }> {
    const rows = acknowledged.flatMap((lease) => this.#findLeased(lease) ?? []);
    this.#remove(rows);
    const again = retried.flatMap(({ lease, delaySeconds }) => {
      const row = this.#findLeased(lease);
      return row === undefined ? [] : [{ row, delaySeconds }];
    });
    for (const { row, delaySeconds } of again) {
      const due = Date.now() + delaySeconds * 1_000;
      this.ctx.storage.sql.exec('UPDATE messages SET due = ? WHERE number = ?', due, row.number);
    }
    await this.schedule();
    return { acknowledged: rows.length, retried: again.length };
  }

  /** The time in `due` identifies the last lease of a message. */
  #findLeased(lease: string): MessageRow | undefined {
    const [number, due] = lease.split('.').map(Number);
    return this.ctx.storage.sql
      .exec<MessageRow>(
        'SELECT number, id, timestamp, content_type, body, attempts FROM messages WHERE number = ? AND due = ?',
        number,
        due,
      )
      .toArray()[0];
  }

  metrics(): QueueMetrics {
    const metrics = { backlogCount: this.#count, backlogBytes: this.#bytes };
    const oldest = this.#oldest();
    return oldest === null ? metrics : { ...metrics, oldestMessageTimestamp: new Date(oldest) };
  }

  /** Sets the alarm to the next work. Also called when a program begins to consume this queue. */
  async schedule(): Promise<void> {
    const next = Math.min(this.#batchDue(), this.#retentionDue());
    if (next !== Infinity) await this.ctx.storage.setAlarm(next);
    else await this.ctx.storage.deleteAlarm();
  }

  async alarm(): Promise<void> {
    // An alarm that fails repeatedly is dropped; a queue must not stop. So the next run is set whatever happens in this
    // one.
    await this.#scheduleRetry();
    this.#dropOld();
    const consumer = this.#findConsumer();
    try {
      if (consumer !== undefined) await this.#serve(consumer);
    } catch (error) {
      this.#ports.log(`queue ${this.#queue}: ${String(error)}; trying again in ${queueRetryMs} ms`);
      return await this.#scheduleRetry();
    }
    await this.schedule();
  }

  #findConsumer(): QueueConsumerSettings | undefined {
    if (this.#settings?.isPaused === true) return undefined;
    return this.#settings?.consumer ?? this.#ports.consumerOf(this.#queue);
  }

  get #retentionMs(): number {
    return this.#settings?.retentionMs ?? queueRetentionMs;
  }

  async #scheduleRetry(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + queueRetryMs);
  }

  /** Delivers batches while one is due. */
  async #serve(consumer: QueueConsumerSettings): Promise<void> {
    const until = Date.now() + queueDeliveringMsMax;
    while (Date.now() <= until && this.#batchDue() <= Date.now()) {
      const batch = this.#take(consumer.batchSizeMax);
      const [exhausted, others] = partition(batch, ({ attempts }) => attempts > consumer.retriesMax);
      await this.#giveUp(exhausted, consumer);
      if (others.length > 0) await this.#deliver(others, consumer);
    }
  }

  #take(count: number): MessageRow[] {
    return this.ctx.storage.sql
      .exec<MessageRow>(
        `SELECT number, id, timestamp, content_type, body, attempts FROM messages
         WHERE due <= ? ORDER BY due, number LIMIT ?`,
        Date.now(),
        count,
      )
      .toArray();
  }

  async #deliver(batch: readonly MessageRow[], consumer: QueueConsumerSettings): Promise<void> {
    const { sql } = this.ctx.storage;
    for (const { number } of batch)
      sql.exec('UPDATE messages SET attempts = attempts + 1 WHERE number = ?', number);
    const messages = batch.map(({ id, timestamp, content_type, body, attempts }) => ({
      id,
      timestamp,
      contentType: content_type,
      body,
      attempts: attempts + 1,
    }));
    const outcome = await this.#consume(messages);
    if (outcome === undefined) return this.#postpone(batch);
    const byId = new Map(batch.map((row) => [row.id, row]));
    const failed = outcome.retried.flatMap(({ id, delaySeconds }) => {
      const row = byId.get(id);
      return row === undefined ? [] : [{ row: { ...row, attempts: row.attempts + 1 }, delaySeconds }];
    });
    const [exhausted, again] = partition(failed, ({ row }) => row.attempts > consumer.retriesMax);
    this.#remove(outcome.acknowledged.flatMap((id) => byId.get(id) ?? []));
    for (const { row, delaySeconds } of again) {
      const delayMs = delaySeconds === undefined ? consumer.retryDelayMs : delaySeconds * 1000;
      sql.exec('UPDATE messages SET due = ? WHERE number = ?', Date.now() + delayMs, row.number);
    }
    await this.#giveUp(
      exhausted.map(({ row }) => row),
      consumer,
    );
  }

  /** Undefined if the consumer could not be reached. */
  async #consume(messages: readonly DeliveredMessage[]): Promise<BatchOutcome | undefined> {
    try {
      return await this.#ports.consume(this.#queue, messages, this.metrics());
    } catch (error) {
      this.#ports.log(`queue ${this.#queue}: a batch could not be delivered: ${String(error)}`);
      return undefined;
    }
  }

  /** Does not count the attempt: a failure to reach the consumer says nothing about the messages. */
  #postpone(batch: readonly MessageRow[]): void {
    for (const { number, attempts } of batch) {
      this.ctx.storage.sql.exec(
        'UPDATE messages SET attempts = ?, due = ? WHERE number = ?',
        attempts,
        Date.now() + queueRetryMs,
        number,
      );
    }
  }

  /** Moves messages to the dead letter queue, if there is one. They leave this queue once they are on disk there. */
  async #giveUp(
    rows: readonly MessageRow[],
    { deadLetterQueue, retriesMax }: Pick<QueueConsumerSettings, 'deadLetterQueue' | 'retriesMax'>,
  ): Promise<void> {
    if (rows.length === 0) return;
    if (deadLetterQueue !== undefined) {
      const messages = rows.map(({ id, timestamp, content_type, body }) => ({
        id,
        timestamp,
        contentType: content_type,
        body: new Uint8Array(body),
        delaySeconds: 0,
      }));
      await this.#ports.openQueue(deadLetterQueue).enqueue(messages);
    } else {
      const ids = rows.map(({ id }) => id).join(', ');
      this.#ports.log(`queue ${this.#queue}: dropped after ${retriesMax + 1} attempts: ${ids}`);
    }
    this.#remove(rows);
  }

  #remove(rows: readonly MessageRow[]): void {
    for (const { number, body } of rows) {
      this.ctx.storage.sql.exec('DELETE FROM messages WHERE number = ?', number);
      this.#count -= 1;
      this.#bytes -= body.byteLength;
    }
  }

  #dropOld(): void {
    const oldest = this.#oldest();
    const limit = Date.now() - this.#retentionMs;
    if (oldest === null || oldest > limit) return;
    this.ctx.storage.sql.exec('DELETE FROM messages WHERE timestamp <= ?', limit);
    this.#countAll();
  }

  #countAll(): void {
    const { count, bytes } = this.ctx.storage.sql
      .exec<{ count: number; bytes: number }>(
        'SELECT count(*) AS count, coalesce(sum(length(body)), 0) AS bytes FROM messages',
      )
      .one();
    this.#count = count;
    this.#bytes = bytes;
  }

  /** When the next batch must be delivered. */
  #batchDue(): number {
    const consumer = this.#findConsumer();
    if (consumer === undefined) return Infinity;
    const { batchSizeMax, batchTimeoutMs } = consumer;
    const dues = this.ctx.storage.sql
      .exec<{ due: number }>('SELECT due FROM messages ORDER BY due LIMIT ?', batchSizeMax)
      .toArray();
    if (dues.length === 0) return Infinity;
    const waited = dues[0]!.due + batchTimeoutMs;
    return dues.length === batchSizeMax ? Math.min(waited, dues.at(-1)!.due) : waited;
  }

  #retentionDue(): number {
    const oldest = this.#oldest();
    return oldest === null ? Infinity : oldest + this.#retentionMs;
  }

  /** When the oldest message was sent; null if there is none. */
  #oldest(): number | null {
    return this.ctx.storage.sql
      .exec<{ oldest: number | null }>('SELECT min(timestamp) AS oldest FROM messages')
      .one().oldest;
  }
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [first: T[], second: T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

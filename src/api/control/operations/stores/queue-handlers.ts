/** Queues of the account, and the Workers that consume them. */
import { randomBytes } from 'node:crypto';
import {
  queueMessageBytesMax,
  type QueueMetrics,
  type QueueObject,
  type QueueSettings,
  type WaitingMessage,
  WorkerQueue,
} from '#bindings';
import { type Fault, fault, ok, pageOf, type Result, storeCodes, workerCodes } from '#contract';
import { toMicroseconds } from '../../context/timestamps.ts';
import type { StoredConsumer, StoreRow, StoreSettings } from '../../stores/stores.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import {
  addStore,
  initiator,
  listUsers,
  openStore,
  removeStore,
  requireStores,
  sayRefusal,
  setStore,
} from './find-store.ts';

type Path = Readonly<Record<string, string>>;
type QueueJson = Result<'queues.get'>;
type ConsumerJson = Result<'queues.getConsumer'>;

/** Cloudflare's values. */
const retentionSecondsDefault = 345_600;
const consumerDefaults = { batch_size: 10, max_retries: 3, max_wait_time_ms: 5_000, retry_delay: 0 };

const visibilityMsDefault = 30_000;
const pulledDefault = 5;

const newId = (): string => randomBytes(16).toString('hex');

export const queueHandlers: ObjectsHandlers<'queues'> = {
  async 'queues.list'(context, { query }) {
    const rows = await context.account.listStores('queue');
    const wanted = rows.filter(({ name }) => query.name === undefined || name === query.name);
    return pageOf(await Promise.all(wanted.map((row) => toJson(context, row))), query);
  },

  async 'queues.create'(context, { body: { queue_name: name, settings = {} } }) {
    const taken = fault(storeCodes.queueNameTaken, { fill: { name } });
    const row = await addStore(
      context,
      { kind: 'queue', id: newId(), name, settings: clean(settings) },
      taken,
    );
    await configureQueue(context, row);
    return ok(await toJson(context, row));
  },

  'queues.get': async (context, { path }) => ok(await toJson(context, await find(context, path))),
  'queues.edit': async (context, { path, body }) => ok(await edit(context, path, body)),
  'queues.replace': async (context, { path, body }) => ok(await edit(context, path, body)),

  async 'queues.delete'(context, { path }) {
    const row = await find(context, path);
    await removeStore(context, row);
    requireStores(context).setConsumer(row.name, undefined);
    return ok(null);
  },

  async 'queues.purge'(context, { path }) {
    const stub = await openStore<QueueObject>(context, await find(context, path));
    await stub.purge();
    return ok({ started_at: toMicroseconds(context.nowMs), complete: true });
  },

  async 'queues.getMetrics'(context, { path }) {
    const stub = await openStore<QueueObject>(context, await find(context, path));
    return ok(toBacklog(await stub.metrics()));
  },

  'queues.send': (context, { path, body }) => send(context, path, [body]),
  'queues.sendBatch': (context, { path, body }) => send(context, path, body.messages, body.delay_seconds),

  async 'queues.pull'(
    context,
    { path, body: { batch_size: count = pulledDefault, visibility_timeout_ms } = {} },
  ) {
    const row = await find(context, path);
    const visible = visibility_timeout_ms ?? listConsumers(row)[0]?.settings.visibility_timeout_ms;
    const stub = await openStore<QueueObject>(context, row);
    const pulled = await stub.pull({ count, visibleAfterMs: visible ?? visibilityMsDefault });
    if (pulled === undefined) throw fault(storeCodes.queuePull, { fill: { name: row.name } });
    const metrics = toBacklog(await stub.metrics());
    return ok({
      message_backlog_count: metrics.backlog_count,
      metadata: { metrics },
      messages: pulled.map(({ id, lease, attempts, timestamp, contentType, body }) => ({
        id,
        lease_id: lease,
        attempts,
        timestamp_ms: timestamp,
        body: Buffer.from(body).toString(contentType === 'text' ? 'utf8' : 'base64'),
        metadata: { 'CF-Content-Type': contentType, 'CF-sourceMessageSource': 'http' },
      })),
    });
  },

  async 'queues.ack'(context, { path, body: { acks = [], retries = [] } }) {
    const stub = await openStore<QueueObject>(context, await find(context, path));
    const settled = await stub.settle(
      acks.map(({ lease_id: lease }) => lease),
      retries.map(({ lease_id: lease, delay_seconds: delaySeconds = 0 }) => ({ lease, delaySeconds })),
    );
    return ok({ ackCount: settled.acknowledged, retryCount: settled.retried, warnings: {} });
  },

  async 'queues.takeOver'(context, { path, body }) {
    const messages = body.messages.map(readWaiting);
    const stub = await openStore<QueueObject>(context, await find(context, path));
    return ok(await stub.takeOver(messages));
  },

  async 'queues.listConsumers'(context, { path }) {
    const row = await find(context, path);
    return ok(listConsumers(row).map((consumer) => toConsumerJson(row, consumer)));
  },

  async 'queues.createConsumer'(context, { path, body }) {
    const row = await find(context, path);
    const consumer = await readConsumer(context, body, { id: newId(), createdAtMs: context.nowMs });
    const [other] = listConsumers(row);
    if (other !== undefined) throw fault(storeCodes.queueConsumed, { fill: { name: row.name } });
    await putConsumers(context, row, [consumer]);
    return ok(toConsumerJson(row, consumer));
  },

  async 'queues.getConsumer'(context, { path }) {
    const row = await find(context, path);
    return ok(toConsumerJson(row, findConsumer(row, path)));
  },

  async 'queues.replaceConsumer'(context, { path, body }) {
    const row = await find(context, path);
    const { id, createdAtMs } = findConsumer(row, path);
    const consumer = await readConsumer(context, body, { id, createdAtMs });
    await putConsumers(context, row, [consumer]);
    return ok(toConsumerJson(row, consumer));
  },

  async 'queues.deleteConsumer'(context, { path }) {
    const row = await find(context, path);
    findConsumer(row, path);
    await putConsumers(context, row, []);
    return ok(null);
  },
};

/** Removes a deleted Worker as the consumer of its queues. */
export async function forgetConsumer(context: ObjectsContext, script: string): Promise<void> {
  if (context.stores === undefined || context.stores.obstacle !== undefined) return;
  for (const row of await context.account.listStores('queue'))
    if (listConsumers(row).some((each) => each.script === script)) await putConsumers(context, row, []);
}

/** Sends the settings to the queue. The account already has them: after a crash, they are sent again. */
async function configureQueue(context: ObjectsContext, row: StoreRow): Promise<void> {
  requireStores(context).setConsumer(row.name, listConsumers(row)[0]?.script);
  const stub = await openStore<QueueObject>(context, row);
  await stub.configure(toQueueSettings(row));
}

/** The settings of a queue, and the Worker that consumes its messages. */
export interface ConfiguredQueue {
  readonly name: string;
  readonly script: string | undefined;
  readonly settings: QueueSettings;
}

export function toQueueSettings({ name, settings }: Pick<StoreRow, 'name' | 'settings'>): QueueSettings {
  const [consumer] = settings.consumers ?? [];
  return {
    deliveryDelay: settings.delivery_delay ?? 0,
    retentionMs: (settings.message_retention_period ?? retentionSecondsDefault) * 1_000,
    isPaused: settings.delivery_paused ?? false,
    pull:
      consumer === undefined || consumer.script !== undefined
        ? undefined
        : {
            retriesMax: consumer.settings.max_retries,
            deadLetterQueue: consumer.deadLetterQueue ?? undefined,
          },
    consumer:
      consumer?.script === undefined
        ? null
        : {
            queue: name,
            batchSizeMax: consumer.settings.batch_size,
            batchTimeoutMs: consumer.settings.max_wait_time_ms,
            retriesMax: consumer.settings.max_retries,
            retryDelayMs: consumer.settings.retry_delay * 1_000,
            deadLetterQueue: consumer.deadLetterQueue ?? undefined,
          },
  };
}

function listConsumers({ settings }: StoreRow): readonly StoredConsumer[] {
  return settings.consumers ?? [];
}

async function edit(
  context: ObjectsContext,
  path: Path,
  {
    queue_name: name,
    settings = {},
  }: { readonly queue_name?: string | undefined; readonly settings?: SentSettings | undefined },
): Promise<QueueJson> {
  const before = await find(context, path);
  if (name !== undefined && name !== before.name)
    throw fault(workerCodes.unsupported, { fill: { what: 'a queue cannot be renamed: create another one' } });
  const row = await setStore(context, before, clean(settings));
  await configureQueue(context, row);
  return await toJson(context, row);
}

type SentSettings = {
  readonly [Name in 'delivery_delay' | 'message_retention_period']?: number | undefined;
} & { readonly delivery_paused?: boolean | undefined };

function clean(settings: SentSettings): StoreSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

async function putConsumers(
  context: ObjectsContext,
  row: StoreRow,
  consumers: readonly StoredConsumer[],
): Promise<void> {
  const changed = { ...row, modifiedAtMs: context.nowMs, settings: { ...row.settings, consumers } };
  await context.account.putStore(initiator(context), changed);
  await configureQueue(context, changed);
}

interface SentConsumer {
  readonly type?: 'worker' | 'http_pull' | undefined;
  readonly service?: string | undefined;
  readonly script_name?: string | undefined;
  readonly dead_letter_queue?: string | null | undefined;
  readonly settings?:
    | {
        readonly [Name in keyof typeof consumerDefaults | 'visibility_timeout_ms']?:
          | number
          | null
          | undefined;
      }
    | undefined;
}

async function readConsumer(
  context: ObjectsContext,
  {
    type,
    service,
    script_name: script = service,
    dead_letter_queue: deadLetters,
    settings = {},
  }: SentConsumer,
  known: Pick<StoredConsumer, 'id' | 'createdAtMs'>,
): Promise<StoredConsumer> {
  const isPulled = type === 'http_pull';
  if (!isPulled && (script === undefined || (await context.account.readWorker(script)) === undefined))
    throw fault(workerCodes.workerNotFound);
  const { batch_size, max_retries, max_wait_time_ms, retry_delay, visibility_timeout_ms: visible } = settings;
  return {
    ...known,
    ...(isPulled ? {} : { script }),
    deadLetterQueue: deadLetters ?? null,
    settings: {
      batch_size: batch_size ?? consumerDefaults.batch_size,
      max_retries: max_retries ?? consumerDefaults.max_retries,
      max_wait_time_ms: max_wait_time_ms ?? consumerDefaults.max_wait_time_ms,
      retry_delay: retry_delay ?? consumerDefaults.retry_delay,
      ...(isPulled ? { visibility_timeout_ms: visible ?? visibilityMsDefault } : {}),
    },
  };
}

function toBacklog({ backlogCount, backlogBytes, oldestMessageTimestamp: oldest }: QueueMetrics) {
  return {
    backlog_count: backlogCount,
    backlog_bytes: backlogBytes,
    oldest_message_timestamp_ms: oldest?.getTime() ?? 0,
  };
}

interface SentMessage {
  readonly body: unknown;
  readonly content_type?: 'json' | 'text' | 'bytes' | undefined;
  readonly delay_seconds?: number | undefined;
}

/** Reports a queue's refusal in the words of its bindings. */
async function send(
  context: ObjectsContext,
  path: Path,
  messages: readonly SentMessage[],
  delaySeconds?: number,
) {
  const stub = await openStore<QueueObject>(context, await find(context, path));
  const face = new WorkerQueue(() => stub, { deliveryDelay: 0, contentType: 'json', show: (all) => all });
  const requests = messages.map(({ body, content_type: contentType = 'json', delay_seconds: delay }) => ({
    body: contentType === 'bytes' ? readBase64(body) : body,
    contentType,
    ...(delay === undefined ? {} : { delaySeconds: delay }),
  }));
  const { metadata } = await sayRefusal(storeCodes.queueRefused, () =>
    face.sendBatch(requests, delaySeconds === undefined ? {} : { delaySeconds }),
  );
  return ok({ metadata: { metrics: toBacklog(metadata.metrics) } });
}

interface SentWaiting extends Pick<WaitingMessage, 'id' | 'attempts'> {
  readonly timestamp_ms: number;
  readonly due_ms: number;
  readonly content_type: 'json' | 'text' | 'bytes';
  readonly body: string;
}

function readWaiting({
  timestamp_ms,
  due_ms,
  content_type: contentType,
  ...rest
}: SentWaiting): WaitingMessage {
  const { id, attempts, body } = rest;
  const bytes = readBase64(body);
  if (bytes.length > queueMessageBytesMax)
    throw refuseMessage(`the body of the message ${id} has more than ${queueMessageBytesMax} bytes`);
  // The consumer parses it, in a batch with other messages.
  if (contentType === 'json' && !isJson(bytes))
    throw refuseMessage(`the body of the message ${id} is not JSON, as its content type says`);
  return { id, timestamp: timestamp_ms, due: due_ms, attempts, contentType, body: bytes };
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

function refuseMessage(reason: string): Fault {
  return fault(storeCodes.queueRefused, { fill: { reason } });
}

function readBase64(body: unknown): Uint8Array {
  try {
    return Uint8Array.fromBase64(body as string);
  } catch {
    throw refuseMessage('the bytes of a message must be Base64');
  }
}

async function find({ account }: ObjectsContext, path: Path): Promise<StoreRow> {
  const given = path['queue_id']!;
  const row =
    (await account.getStore('queue', given)) ??
    (await account.listStores('queue')).find(({ name }) => name === given);
  if (row === undefined) throw notFound(given);
  return row;
}

function notFound(name: string): Fault {
  return fault(storeCodes.queueNotFound, { fill: { name } });
}

function findConsumer(row: StoreRow, path: Path): StoredConsumer {
  const given = path['consumer_id'];
  const consumer = listConsumers(row).find(({ id, script }) => id === given || script === given);
  if (consumer === undefined) throw fault(storeCodes.queueConsumerNotFound);
  return consumer;
}

function toConsumerJson({ id, name }: StoreRow, consumer: StoredConsumer): ConsumerJson {
  return {
    consumer_id: consumer.id,
    ...(consumer.script === undefined
      ? { type: 'http_pull' }
      : { type: 'worker', script: consumer.script, script_name: consumer.script }),
    ...(consumer.deadLetterQueue === null ? {} : { dead_letter_queue: consumer.deadLetterQueue }),
    settings: consumer.settings,
    created_on: toMicroseconds(consumer.createdAtMs),
    queue_id: id,
    queue_name: name,
  };
}

async function toJson(context: ObjectsContext, row: StoreRow): Promise<QueueJson> {
  const { consumers = [], ...settings } = row.settings;
  const producers = await listUsers(context, row);
  return {
    queue_id: row.id,
    queue_name: row.name,
    created_on: toMicroseconds(row.createdAtMs),
    modified_on: toMicroseconds(row.modifiedAtMs),
    settings: {
      delivery_delay: settings.delivery_delay ?? 0,
      message_retention_period: settings.message_retention_period ?? retentionSecondsDefault,
      delivery_paused: settings.delivery_paused ?? false,
    },
    producers: producers.map((script) => ({ type: 'worker', script })),
    producers_total_count: producers.length,
    consumers: consumers.map((consumer) => toConsumerJson(row, consumer)),
    consumers_total_count: consumers.length,
  };
}

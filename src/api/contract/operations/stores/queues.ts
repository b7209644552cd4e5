/** Queues of the account, and the Workers that consume them. */
import { storeCodes as codes } from '../../codes/stores.ts';
import { workerCodes } from '../../codes/workers.ts';
import { operationsOf } from '../../operation.ts';
import { account, created, served, several } from './store-rows.ts';
import {
  array,
  choice,
  flag,
  ignored,
  integer,
  json,
  listOf,
  mapOf,
  named,
  nothing,
  nullable,
  object,
  optional,
  pageParameters,
  record,
  string,
  text,
  textParameter,
  timestamp,
  unread,
  whole,
} from '#shapes';

/** Wrangler sends JSON as text. */
const id = /^[A-Za-z0-9][\w-]{0,62}$/;
/** Ids or names: cloudflare-go 0.x identifies queues by name, and consumers by Worker. */
const segments = { queue_id: id, consumer_id: id } as const;
const operation = operationsOf({
  ...several,
  api: 'queues',
  takesText: true,
  segments,
  read: ['queuesRead', 'queuesWrite'],
  write: ['queuesWrite'],
});
const queues = `${account}/queues` as const;
const one = `${queues}/{queue_id}` as const;
const consumers = `${one}/consumers` as const;
const reaching = [...served, codes.queueNotFound] as const;

const consumer = named(
  'QueueConsumer',
  record({
    consumer_id: string,
    type: string,
    script: optional(string),
    script_name: optional(string),
    dead_letter_queue: optional(string),
    settings: json,
    created_on: timestamp,
    queue_id: string,
    queue_name: string,
  }),
);
const queue = named(
  'Queue',
  record({
    queue_id: string,
    queue_name: string,
    created_on: timestamp,
    modified_on: timestamp,
    settings: json,
    producers: listOf(json),
    producers_total_count: whole,
    consumers: listOf(consumer),
    consumers_total_count: whole,
  }),
);
const name = text({ min: 1, max: 63, pattern: /^[A-Za-z0-9][A-Za-z0-9_-]*$/ });
const settings = optional(
  named(
    'QueueSettings',
    object({
      delivery_delay: optional(integer({ min: 0, max: 86_400 })),
      message_retention_period: optional(integer({ min: 60, max: 1_209_600 })),
      delivery_paused: optional(flag()),
    }),
  ),
);
const consumerContent = named(
  'QueueConsumerContent',
  object({
    type: optional(choice(['worker', 'http_pull'])),
    script_name: optional(text({ min: 1, max: 63 })),
    service: optional(text({ min: 1, max: 63, description: 'The same as `script_name`.' })),
    environment: ignored(),
    environment_name: optional(unread({ type: 'string' })),
    dead_letter_queue: optional(nullable(text({ max: 63 }))),
    settings: optional(
      named(
        'QueueConsumerSettings',
        object({
          batch_size: optional(nullable(integer({ min: 1, max: 100 }))),
          max_retries: optional(nullable(integer({ min: 0, max: 100 }))),
          max_wait_time_ms: optional(nullable(integer({ min: 0, max: 60_000 }))),
          max_concurrency: optional(unread({})),
          retry_delay: optional(nullable(integer({ min: 0, max: 86_400 }))),
          visibility_timeout_ms: optional(nullable(integer({ min: 0, max: 43_200_000 }))),
        }),
      ),
    ),
  }),
);

const lease = text({ min: 1, max: 64, pattern: /^\d{1,16}\.\d{1,16}$/, what: 'a lease of a message' });
const delay = optional(integer({ min: 0, max: 86_400 }));
const message = object({
  body: unread({}),
  content_type: optional(choice(['json', 'text', 'bytes'])),
  delay_seconds: delay,
});
/** The latest time of a message: the end of the year 9999. */
const momentMax = 253_402_300_799_999;
const waiting = object({
  id: text({ min: 1, max: 64 }),
  timestamp_ms: integer({ min: 0, max: momentMax }),
  due_ms: integer({ min: 0, max: momentMax }),
  attempts: integer({ min: 0, max: 1_000 }),
  content_type: choice(['json', 'text', 'bytes']),
  body: text({ max: 200_000 }),
});
const backlog = named(
  'QueueBacklog',
  record({ backlog_count: whole, backlog_bytes: whole, oldest_message_timestamp_ms: whole }),
);
const sent = named(
  'QueueSent',
  record({ metadata: named('QueueSentMetadata', record({ metrics: backlog })) }),
);

export const queueOperations = {
  'queues.list': operation(`GET ${queues}`, {
    summary: 'List the queues of the account',
    query: { name: textParameter('The whole name.'), ...pageParameters({ fallback: 100, max: 1_000 }) },
    result: listOf(queue),
  }),
  'queues.create': operation(`POST ${queues}`, {
    summary: 'Create a queue',
    body: named('QueueContent', object({ queue_name: name, settings })),
    result: queue,
    codes: [...created, codes.queueNameTaken],
  }),
  'queues.get': operation(`GET ${one}`, {
    summary: 'Get a queue',
    result: queue,
    codes: reaching,
  }),
  'queues.edit': operation(`PATCH ${one}`, {
    summary: 'Change settings of a queue',
    body: named('QueueChange', object({ queue_name: optional(name), settings })),
    result: queue,
    codes: [...reaching, workerCodes.unsupported],
  }),
  'queues.replace': operation(`PUT ${one}`, {
    summary: 'Change settings of a queue, as `PATCH` does',
    body: named('QueueReplacement', object({ queue_name: optional(name), settings })),
    result: queue,
    codes: [...reaching, workerCodes.unsupported],
  }),
  'queues.delete': operation(`DELETE ${one}`, {
    summary: 'Delete a queue and the messages waiting in it',
    result: nothing,
    codes: [...reaching, codes.storeInUse],
  }),
  'queues.purge': operation(`POST ${one}/purge`, {
    summary: 'Delete all messages of a queue',
    body: named('QueuePurge', object({ delete_messages_permanently: optional(flag()) })),
    result: named('QueuePurged', record({ started_at: timestamp, complete: flag() })),
    codes: reaching,
  }),
  'queues.getMetrics': operation(`GET ${one}/metrics`, {
    summary: 'Get the backlog of a queue, and its age',
    result: backlog,
    codes: reaching,
  }),
  'queues.send': operation(`POST ${one}/messages`, {
    summary: 'Send a message: any JSON, a text, or bytes as Base64',
    body: named('QueueMessage', message),
    result: sent,
    codes: [...reaching, codes.queueRefused],
  }),
  'queues.sendBatch': operation(`POST ${one}/messages/batch`, {
    summary: 'Send up to 100 messages, all or none',
    body: named(
      'QueueMessages',
      object({
        messages: array(named('QueueBatchMessage', message), { min: 1, max: 100 }),
        delay_seconds: delay,
      }),
    ),
    result: sent,
    codes: [...reaching, codes.queueRefused],
  }),
  'queues.pull': operation(`POST ${one}/messages/pull`, {
    summary:
      'Lease messages of a queue with a consumer of the type http_pull, at most 100; JSON and bytes are Base64',
    body: optional(
      named(
        'QueuePull',
        object({
          batch_size: optional(integer({ min: 1, max: 100 })),
          visibility_timeout_ms: optional(integer({ min: 0, max: 43_200_000 })),
        }),
      ),
    ),
    result: named(
      'QueuePulled',
      record({
        message_backlog_count: whole,
        metadata: named('QueuePullMetadata', record({ metrics: backlog })),
        messages: listOf(
          named(
            'QueuePulledMessage',
            record({
              id: string,
              lease_id: string,
              attempts: whole,
              timestamp_ms: whole,
              body: string,
              metadata: mapOf(string),
            }),
          ),
        ),
      }),
    ),
    codes: [...reaching, codes.queuePull],
  }),
  'queues.ack': operation(`POST ${one}/messages/ack`, {
    summary: 'Acknowledge messages by their leases, or return them for another delivery',
    body: named(
      'QueueAck',
      object({
        acks: optional(array(named('QueueLease', object({ lease_id: lease })), { max: 100 })),
        retries: optional(
          array(named('QueueRetry', object({ lease_id: lease, delay_seconds: delay })), { max: 100 }),
        ),
      }),
    ),
    result: named('QueueAcked', record({ ackCount: whole, retryCount: whole, warnings: mapOf(string) })),
    codes: reaching,
  }),
  'queues.takeOver': operation(`POST ${one}/messages/take-over`, {
    isOurs: true,
    summary:
      'Import up to 100 waiting messages of another queue, all or none; each is imported once, even if it has been delivered since. Bodies are Base64',
    body: named(
      'QueueTakeOver',
      object({ messages: array(named('QueueWaitingMessage', waiting), { min: 1, max: 100 }) }),
    ),
    result: named('QueueTakenOver', record({ taken: whole, present: whole, expired: whole })),
    codes: [...reaching, codes.queueRefused],
  }),
  'queues.listConsumers': operation(`GET ${consumers}`, {
    summary: 'List the consumers of a queue',
    result: listOf(consumer),
    codes: reaching,
  }),
  'queues.createConsumer': operation(`POST ${consumers}`, {
    summary: 'Add a consumer to a queue: a Worker, or http_pull',
    body: consumerContent,
    result: consumer,
    codes: [...reaching, codes.queueConsumed, workerCodes.workerNotFound],
  }),
  'queues.getConsumer': operation(`GET ${consumers}/{consumer_id}`, {
    summary: 'Get a consumer of a queue',
    result: consumer,
    codes: [...reaching, codes.queueConsumerNotFound],
  }),
  'queues.replaceConsumer': operation(`PUT ${consumers}/{consumer_id}`, {
    summary: 'Change how a Worker consumes a queue',
    body: consumerContent,
    result: consumer,
    codes: [...reaching, codes.queueConsumerNotFound, workerCodes.workerNotFound],
  }),
  'queues.deleteConsumer': operation(`DELETE ${consumers}/{consumer_id}`, {
    summary: 'Remove the consumer of a queue',
    result: nothing,
    codes: [...reaching, codes.queueConsumerNotFound],
  }),
};

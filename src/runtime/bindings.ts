/**
 * The bindings of a Worker besides Durable Objects, each on an object of its own: KV namespaces, D1 databases, queues,
 * R2 buckets, and the instances of workflows. What they acknowledge is on disk, and their history can be read and
 * restored like that of any object.
 *
 * ```ts
 * const declared = { ...noBindings, kvNamespaces: [{ name: 'SESSIONS', id: 'sessions' }] };
 * const namespaceOf = (className: string) => runtime.namespace(className);
 * const runtime = await createRuntime({ directory, classes: createBindingClasses(declared, { namespaceOf, … }) });
 * const { SESSIONS } = createBindings(declared, { namespaceOf, queueContentType: 'json' });
 * await SESSIONS.put('key', 'value', { expirationTtl: 60 });
 * ```
 *
 * A binding has two parts. The interface in `env` (`KvNamespace`, `D1Database`, `WorkerQueue`, `R2Bucket`, `Workflow`)
 * reads arguments and throws errors as Cloudflare does; there is one in each process that runs code. The object behind
 * it stores the data, in whichever process it lives.
 */
export {
  bindingClassNames,
  type BindingPorts,
  createBindingClasses,
  createConsumerStub,
} from './bindings/binding-classes.ts';
export { type BindingOptions, createBindings, startBindings } from './bindings/create-bindings.ts';
export {
  type DeclaredBindings,
  noBindings,
  type ObjectBehind,
  type QueueProducer,
  type RateLimitBinding,
  type WorkflowBinding,
} from './bindings/declared.ts';
export {
  queueConsumerBatchMax,
  queueConsumerRetriesMax,
  queueConsumerTimeoutSecondsMax,
  queueDelaySecondsMax,
  queueMessageBytesMax,
  workflowStepsMaxDefault,
} from './bindings/limits.ts';
export { MessageBatch } from './bindings/queues/message-batch.ts';
export { QueueConsumer } from './bindings/queues/queue-consumer.ts';
export {
  type GivenMessage,
  type QueueContentType,
  type QueueMetrics,
  toDeliveredMessage,
  type BatchOutcome,
  type DeliveredMessage,
  type WaitingMessage,
} from './bindings/queues/queue-messages.ts';
export type { QueueConsumerSettings, QueueSettings } from './bindings/queues/queue-settings.ts';
export { NonRetryableError } from './bindings/workflows/workflow-errors.ts';
export type { WorkflowCode, WorkflowEvent, WorkflowStep } from './bindings/workflows/workflow-code.ts';
export { rateLimitPeriods } from './bindings/rate-limits/rate-limit.ts';
export type { D1Outcome, D1Rows, D1Value, D1DatabaseObject } from './bindings/d1/d1-object.ts';
export { dumpDatabase } from './bindings/d1/dump-database.ts';
export { KvNamespace } from './bindings/kv/kv-namespace.ts';
export { checkValueLength, kvMetadataField, readPut } from './bindings/kv/kv-rules.ts';
export { isRefusal } from './bindings/refusal.ts';
export type { KvNamespaceObject } from './bindings/kv/kv-object.ts';
export type { QueueObject } from './bindings/queues/queue-object.ts';
export { listBucketFiles } from './bindings/r2/bodies/body-files.ts';
export { WorkerQueue } from './bindings/queues/worker-queue.ts';
export { createBodyStream } from './bindings/r2/bodies/body-readers.ts';
export { toChunk } from './bindings/read-bytes.ts';
export type { BucketReply } from './bindings/r2/r2-failure.ts';
export type { R2BucketObject } from './bindings/r2/r2-object.ts';
export type {
  AskedRange,
  ObjectCondition,
  Etag,
  FoundObject,
  ObjectRecord,
  ObjectSettings,
} from './bindings/r2/r2-records.ts';
export {
  type FoundHead,
  fromSent,
  type WireSettings,
  splitHead,
  toSent,
  writeHead,
} from './bindings/r2/r2-wire.ts';
export { R2Bucket } from './bindings/r2/r2-bucket.ts';
export { R2ObjectBody } from './bindings/r2/r2-object-body.ts';
export { R2Object } from './bindings/r2/r2-stored-object.ts';
export {
  readEntries,
  readMessages,
  readObjects,
  type StoredEntry,
  type StoredObject,
  type StoredRows,
} from './bindings/read-stored.ts';
export { createEnv as createStoreEnv, createStoreClasses } from './bindings/store-process.ts';
export { findStoreModule, queueDelivery, storeClassNames, type StoreProcessData } from './bindings/stores.ts';

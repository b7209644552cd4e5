/** Creates what a Worker finds in `env`. */
import type { DurableObjectNamespace, DurableObjectStub } from '#objects';
import { bindingClassNames } from './binding-classes.ts';
import { D1Database } from './d1/d1-database.ts';
import type { DeclaredBindings } from './declared.ts';
import { KvNamespace } from './kv/kv-namespace.ts';
import type { QueueContentType } from './queues/queue-messages.ts';
import { WorkerQueue } from './queues/worker-queue.ts';
import { R2Bucket } from './r2/r2-bucket.ts';
import { leaveOutEmptyFields, showAllFields } from './shown-fields.ts';
import { RateLimit } from './rate-limits/rate-limit.ts';
import { Workflow } from './workflows/workflow.ts';
import { nameInstance } from './workflows/workflow-object.ts';

export interface BindingOptions {
  readonly namespaceOf: (className: string) => DurableObjectNamespace;
  /** Of messages that name none. */
  readonly queueContentType: QueueContentType;
  /** Whether plain results leave out fields that have no value. */
  readonly leavesOutEmptyFields?: boolean | undefined;
}

export function createBindings(
  declared: DeclaredBindings,
  { namespaceOf, queueContentType, leavesOutEmptyFields = false }: BindingOptions,
): Record<string, unknown> {
  const env: Record<string, unknown> = {};
  const show = leavesOutEmptyFields ? leaveOutEmptyFields : showAllFields;
  const opener = (className: string, id: string) => () => namespaceOf(className).getByName(id);
  for (const { name, id } of declared.kvNamespaces)
    env[name] = new KvNamespace(opener(bindingClassNames.kv, id));
  for (const { name, id } of declared.d1Databases)
    env[name] = new D1Database(opener(bindingClassNames.d1, id), id);
  for (const { name, id, deliveryDelay } of declared.queueProducers) {
    env[name] = new WorkerQueue(opener(bindingClassNames.queues, id), {
      deliveryDelay,
      contentType: queueContentType,
      show,
    });
  }
  for (const { name, id } of declared.r2Buckets)
    env[name] = new R2Bucket(opener(bindingClassNames.r2, id), show);
  for (const { name, id: workflow } of declared.workflows ?? []) {
    const open = (id: string) =>
      namespaceOf(bindingClassNames.workflows).getByName(nameInstance(workflow, id));
    env[name] = new Workflow(open);
  }
  for (const { name, id, ...settings } of declared.rateLimits ?? []) env[name] = new RateLimit(id, settings);
  return env;
}

/** Lets queues know that their consumers are there, so that what waits is delivered, and creates databases. */
export async function startBindings(
  { queueConsumers, d1Databases }: DeclaredBindings,
  namespaceOf: BindingOptions['namespaceOf'],
): Promise<void> {
  const open = (className: string, id: string): DurableObjectStub => namespaceOf(className).getByName(id);
  await Promise.all([
    ...queueConsumers.map(({ queue }) => open(bindingClassNames.queues, queue).schedule()),
    ...d1Databases.map(({ id }) => open(bindingClassNames.d1, id).create()),
  ]);
}

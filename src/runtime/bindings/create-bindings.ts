/** Creates the bindings in a Worker's `env`. */
import type { DurableObjectNamespace, DurableObjectStub } from '#objects';
import { bindingClassNames } from './binding-classes.ts';
import { D1Database } from './d1/d1-database.ts';
import type { DeclaredBindings, ObjectBehind } from './declared.ts';
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
  /**
   * Opens the object behind a binding to a store of an account; without it, such a store is an object like any other.
   */
  readonly openRemote?: ((className: string, behind: ObjectBehind) => DurableObjectStub) | undefined;
  /** The content type of messages that name none. */
  readonly queueContentType: QueueContentType;
  /** Whether plain results omit fields that have no value. */
  readonly leavesOutEmptyFields?: boolean | undefined;
}

export function createBindings(
  declared: DeclaredBindings,
  { namespaceOf, openRemote, queueContentType, leavesOutEmptyFields = false }: BindingOptions,
): Record<string, unknown> {
  const env: Record<string, unknown> = {};
  const show = leavesOutEmptyFields ? leaveOutEmptyFields : showAllFields;
  const opener = (className: string, behind: ObjectBehind) => () =>
    behind.isRemote === true && openRemote !== undefined
      ? openRemote(className, behind)
      : namespaceOf(className).getByName(behind.id);
  for (const each of declared.kvNamespaces)
    env[each.name] = new KvNamespace(opener(bindingClassNames.kv, each));
  for (const each of declared.d1Databases)
    env[each.name] = new D1Database(opener(bindingClassNames.d1, each), each.id);
  for (const each of declared.queueProducers) {
    env[each.name] = new WorkerQueue(opener(bindingClassNames.queues, each), {
      deliveryDelay: each.deliveryDelay,
      contentType: queueContentType,
      show,
    });
  }
  for (const each of declared.r2Buckets)
    env[each.name] = new R2Bucket(opener(bindingClassNames.r2, each), show);
  for (const { name, id: workflow } of declared.workflows ?? []) {
    const open = (id: string) =>
      namespaceOf(bindingClassNames.workflows).getByName(nameInstance(workflow, id));
    env[name] = new Workflow(open);
  }
  for (const { name, id, ...settings } of declared.rateLimits ?? []) env[name] = new RateLimit(id, settings);
  return env;
}

/** Notifies queues that their consumers are running, so that waiting messages are delivered, and creates databases. */
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

/**
 * The classes of the objects behind bindings, under the names of the keys that declare them: so an operator finds a database
 * as `gatehouse objects history d1_databases NAME`.
 */
import {
  callingSide,
  type DurableObject,
  type ClassOptions,
  type DurableObjectNamespace,
  type DurableObjectState,
  runOutside,
} from '#objects';
import { Capability, createStub, type Side, type Stub } from '#rpc';
import { D1DatabaseObject } from './d1/d1-object.ts';
import type { DeclaredBindings } from './declared.ts';
import { KvNamespaceObject } from './kv/kv-object.ts';
import type { QueueConsumer } from './queues/queue-consumer.ts';
import { QueueObject } from './queues/queue-object.ts';
import { R2ContentObject } from './r2/bodies/content-object.ts';
import { R2BucketObject } from './r2/r2-object.ts';
import { WorkflowObject, type WorkflowPorts } from './workflows/workflow-object.ts';

export const bindingClassNames = {
  kv: 'kv_namespaces',
  d1: 'd1_databases',
  queues: 'queues',
  r2: 'r2_buckets',
  r2Contents: 'r2_contents',
  workflows: 'workflows',
} as const;

/** What the objects behind bindings need of the program in which they run. */
export interface BindingPorts extends WorkflowPorts {
  readonly namespaceOf: (className: string) => DurableObjectNamespace;
  /** A stub of the `QueueConsumer` of the program. */
  readonly consumer: () => Stub;
  /** The directory for the contents of buckets; undefined stores them in objects, as a cluster requires. */
  readonly bucketDirectory: string | undefined;
}

export function createBindingClasses(
  declared: DeclaredBindings,
  ports: BindingPorts,
): Record<string, ClassOptions> {
  const classes: Record<string, ClassOptions> = {};
  const declare = (name: string, declaration: ClassOptions['class']): void => {
    classes[name] = { class: declaration, storage: 'sql', uniqueKey: name };
  };
  if (declared.kvNamespaces.length > 0) declare(bindingClassNames.kv, KvNamespaceObject);
  if (declared.d1Databases.length > 0) declare(bindingClassNames.d1, D1DatabaseObject);
  if (declared.queueProducers.length + declared.queueConsumers.length > 0)
    declare(bindingClassNames.queues, queueClass(declared, ports));
  if (declared.r2Buckets.length > 0) declareBuckets(declare, ports);
  if (declared.workflows !== undefined && declared.workflows.length > 0)
    declare(bindingClassNames.workflows, bindPorts(WorkflowObject, ports));
  return classes;
}

/** A class whose objects use these ports: the runtime passes only the first two arguments. */
function bindPorts<Ports>(
  base: new (ctx: DurableObjectState, env: unknown, ports: Ports) => DurableObject,
  ports: Ports,
): ClassOptions['class'] {
  return class extends base {
    constructor(ctx: DurableObjectState, env: unknown) {
      super(ctx, env, ports);
    }
  };
}

function declareBuckets(
  declare: (name: string, declaration: ClassOptions['class']) => void,
  { bucketDirectory: directory, namespaceOf, log }: BindingPorts,
): void {
  const contents = (): DurableObjectNamespace => namespaceOf(bindingClassNames.r2Contents);
  const onError = (error: unknown): void => log(`could not remove contents of a bucket: ${String(error)}`);
  declare(bindingClassNames.r2, bindPorts(R2BucketObject, { directory, contents, onError }));
  if (directory === undefined) declare(bindingClassNames.r2Contents, R2ContentObject);
}

function queueClass({ queueConsumers }: DeclaredBindings, ports: BindingPorts): ClassOptions['class'] {
  const consumers = new Map(queueConsumers.map((consumer) => [consumer.queue, consumer]));
  return bindPorts(QueueObject, {
    consumerOf: (queue) => consumers.get(queue),
    openQueue: (queue) => ports.namespaceOf(bindingClassNames.queues).getByName(queue),
    consume: (queue, messages, metrics) =>
      (ports.consumer() as unknown as QueueConsumer).consume(queue, messages, metrics),
    log: (message) => ports.log(message),
  });
}

/** Code of a Worker runs outside of the object that calls it. */
const workerSide: Side = {
  enter: (body) => runOutside(body),
  reach: (message) => message(),
};

/** A stub of a consumer in this process, for the queues of this process. */
export function createConsumerStub(consumer: QueueConsumer): Stub {
  return createStub(new Capability({ owner: workerSide, target: () => consumer }), callingSide);
}

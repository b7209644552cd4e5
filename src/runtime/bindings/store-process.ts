/**
 * The process that has the stores of an account: KV namespaces, D1 databases, queues and R2 buckets, which Workers in
 * other processes and the API reach. It runs no user code.
 */
import type { ClassOptions, DurableObjectNamespace } from '#objects';
import type { Stub } from '#rpc';
import { createBindingClasses } from './binding-classes.ts';
import { type StoreProcessData, queueDelivery } from './stores.ts';

/** The interface of its host process. */
interface StoreHost {
  readonly log: (message: string, error?: unknown) => void;
  namespace(className: string): DurableObjectNamespace;
  service(name: string): Stub;
}

let host: StoreHost | undefined;

const any = [{ name: '', id: '' }];

export const classes = (data: unknown): Record<string, ClassOptions> =>
  createStoreClasses(data as StoreProcessData);

export function createStoreClasses({ bucketDirectory }: StoreProcessData): Record<string, ClassOptions> {
  return createBindingClasses(
    {
      kvNamespaces: any,
      d1Databases: any,
      r2Buckets: any,
      queueProducers: [{ name: '', id: '', deliveryDelay: 0 }],
      // Each queue stores its own settings.
      queueConsumers: [],
    },
    {
      namespaceOf: (className) => host!.namespace(className),
      consumer: () => host!.service(queueDelivery),
      bucketDirectory,
      workflowOf: async () => undefined,
      log: (message) => host!.log(message),
    },
  );
}

export function createEnv(context: StoreHost): object {
  host = context;
  return {};
}

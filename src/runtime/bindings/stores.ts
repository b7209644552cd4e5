/** Stores that belong to an account instead of a Worker, and how they are reached. */
import { bindingClassNames } from './binding-classes.ts';

/** The data passed to the process of the stores. */
export interface StoreProcessData {
  /** Undefined in a cluster, where contents are objects. */
  readonly bucketDirectory: string | undefined;
}

/** The name under which queues reach the code that delivers their messages. */
export const queueDelivery = 'queue-delivery';

/** The module that a host of stores loads. */
export function findStoreModule(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./store-process.${extension}`, import.meta.url);
}

/** Classes of objects that belong to the account, if the Worker was uploaded to one. */
export const storeClassNames: ReadonlySet<string> = new Set([
  bindingClassNames.kv,
  bindingClassNames.d1,
  bindingClassNames.queues,
  bindingClassNames.r2,
]);

/**
 * KV namespaces, D1 databases, queues and R2 buckets of the account that a Worker was uploaded to: they are objects of
 * another process, shared by all Workers of the account. A standalone Worker has its own.
 */
import { noBindings, startBindings, storeClassNames, type DeclaredBindings } from '#bindings';
import { connectHosts } from '#hosts';
import type { DurableObjectNamespace } from '#objects';
import type { WorkerOptions } from '../options.ts';
import type { WorkerPlan } from '../planned-worker.ts';

export interface Stores extends Disposable {
  has(className: string): boolean;
  namespace(className: string): DurableObjectNamespace;
}

export function openStores({ stores, log }: WorkerOptions): Stores | undefined {
  if (stores === undefined) return undefined;
  const hosts = connectHosts(stores, (message, error) =>
    error === undefined ? log.warn(message) : log.error(error, message),
  );
  return {
    has: (className) => storeClassNames.has(className),
    namespace: (className) => hosts.namespace(className),
    [Symbol.dispose]: () => hosts[Symbol.dispose](),
  };
}

/** The plan for bindings that the Worker has its own objects for. */
export function ownBindings(plan: WorkerPlan, stores: Stores | undefined): WorkerPlan {
  if (stores === undefined) return plan;
  const { workflows, rateLimits } = plan.declared;
  const declared: DeclaredBindings = {
    ...noBindings,
    ...(workflows === undefined ? {} : { workflows }),
    ...(rateLimits === undefined ? {} : { rateLimits }),
  };
  return { ...plan, declared };
}

/** Those of the account are already in use, whichever Worker is bound to them. */
export async function useBindings(
  declared: DeclaredBindings,
  stores: Stores | undefined,
  namespaceOf: (className: string) => DurableObjectNamespace,
): Promise<void> {
  if (stores === undefined) await startBindings(declared, namespaceOf);
}

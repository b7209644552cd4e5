/** The process with the stores of the account on one host of a cluster: any host can have any of them. */
import { createStoreClasses, createStoreEnv } from '#bindings';
import { type Cluster, joinCluster as join } from '#cluster';
import type { ClusterPlace } from '#deployments';

export interface ClusteredStoresData {
  readonly cluster: ClusterPlace;
}

export const classes = (): ReturnType<typeof createStoreClasses> =>
  createStoreClasses({ bucketDirectory: undefined });

export const createEnv = createStoreEnv;

export function joinCluster(
  data: unknown,
  log: (message: string, error?: unknown) => void,
): Promise<Cluster> {
  return join({ ...(data as ClusteredStoresData).cluster, log });
}

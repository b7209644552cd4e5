/** Stores of an account, opened as by `remote: true`, without a project. */
import { ok } from 'node:assert/strict';
import { createBindings, type KvNamespace, noBindings, type R2Bucket, type WorkerQueue } from '#bindings';
import { RemoteStores } from '../../src/platform/workers/remote/remote-stores.ts';

export interface StoreIds {
  readonly kv: string;
  readonly d1: string;
}

interface OpenStores {
  readonly KV: KvNamespace;
  readonly DB: { prepare(sql: string): { all(): Promise<unknown> } };
  readonly FILES: R2Bucket;
  readonly JOBS: WorkerQueue;
}

export function openRemoteStores(
  environment: Readonly<Record<string, string>>,
  { kv, d1 }: StoreIds,
): OpenStores {
  const remote = new RemoteStores(environment);
  const isRemote = true as const;
  const declared = {
    ...noBindings,
    kvNamespaces: [{ name: 'KV', id: kv, isRemote }],
    d1Databases: [{ name: 'DB', id: d1, isRemote }],
    r2Buckets: [{ name: 'FILES', id: 'files', isRemote }],
    queueProducers: [{ name: 'JOBS', id: 'jobs', deliveryDelay: 0, isRemote }],
  };
  const namespaceOf = (): never => ok(false, 'nothing is kept here') as never;
  const openRemote = remote.open.bind(remote);
  const bindings = createBindings(declared, { namespaceOf, openRemote, queueContentType: 'json' });
  return bindings as unknown as OpenStores;
}

/** Stores of an account: found by name or id, or created. */
import type { ApiClient } from '../api/api-client.ts';
import type { SourceStore } from './source.ts';

export interface AccountTarget {
  readonly api: ApiClient;
  readonly account_id: string;
}

/** How much of a store the account has now. */
export interface Moved {
  /** As the configuration of a Worker names it. */
  readonly id: string;
  readonly taken: number;
  /** Existing content of the account, which is kept. */
  readonly present: number;
  /** Content that was not copied, as text. */
  readonly left?: string;
}

export async function findNamespace({ api, account_id }: AccountTarget, name: string): Promise<string> {
  const path = '/accounts/{account_id}/storage/kv/namespaces';
  for await (const { id, title } of api.list(path, { account_id }))
    if (title === name || id === name) return id;
  return (await api.post(path, { account_id, body: { title: name } })).result.id;
}

export async function findDatabase({ api, account_id }: AccountTarget, name: string): Promise<string> {
  const path = '/accounts/{account_id}/d1/database';
  for await (const { uuid, name: each } of api.list(path, { account_id }))
    if (each === name || uuid === name) return uuid;
  return (await api.post(path, { account_id, body: { name } })).result.uuid;
}

export async function findBucket({ api, account_id }: AccountTarget, name: string): Promise<string> {
  const path = '/accounts/{account_id}/r2/buckets';
  const { buckets } = (await api.get(path, { account_id })).result;
  if (!buckets.some((bucket) => bucket.name === name)) await api.post(path, { account_id, body: { name } });
  return name;
}

export async function findQueue(
  { api, account_id }: AccountTarget,
  name: string,
): Promise<{ readonly id: string; readonly name: string }> {
  const path = '/accounts/{account_id}/queues';
  for await (const { queue_id: id, queue_name: each } of api.list(path, { account_id }))
    if (each === name || id === name) return { id, name: each };
  const { queue_id: id } = (await api.post(path, { account_id, body: { queue_name: name } })).result;
  return { id, name };
}

export type Move = (store: SourceStore, target: AccountTarget) => Promise<Moved>;

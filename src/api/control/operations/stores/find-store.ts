/** Finds, adds and removes stores of the account, whatever their kind. */
import { isRefusal } from '#bindings';
import { type Code, type Fault, fault, storeCodes, workerCodes } from '#contract';
import type { DurableObjectStub } from '#objects';
import { storesMax } from '../../context/limits.ts';
import type { StoreHost } from './store-host.ts';
import type { StoreKind, StoreRow, StoreSettings } from '../../stores/stores.ts';
import type { ObjectsContext } from '../several-objects.ts';

/** The classes of the stores' objects. */
const classNames: Readonly<Record<StoreKind, string>> = {
  kv: 'kv_namespaces',
  d1: 'd1_databases',
  queue: 'queues',
  r2: 'r2_buckets',
};

export function requireStores({ stores }: ObjectsContext): StoreHost {
  const reason = stores === undefined ? 'this program has no stores' : stores.obstacle;
  if (stores === undefined || reason !== undefined)
    throw fault(workerCodes.notUploadable, { fill: { reason: reason ?? '' } });
  return stores;
}

/** A stub of the object that holds the content of a store. Queues and buckets are found by name. */
export async function openStore<T>(
  context: ObjectsContext,
  { kind, id, name }: StoreRow,
): Promise<DurableObjectStub<T>> {
  const runtime = await requireStores(context).open();
  const key = kind === 'queue' || kind === 'r2' ? name : id;
  return runtime.namespace<T>(classNames[kind]).getByName(key);
}

export function initiator({ actor, call }: ObjectsContext): { actor: typeof actor; operation: string } {
  return { actor, operation: call.operation };
}

/** Reports a store's refusal in the words of its bindings. */
export async function sayRefusal<T>(code: Code, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isRefusal(error) ? fault(code, { fill: { reason: error.message } }) : error;
  }
}

/** Creates a store; its name must be free. */
export async function addStore(
  context: ObjectsContext,
  store: Pick<StoreRow, 'kind' | 'id' | 'name' | 'settings'>,
  taken: Fault,
): Promise<StoreRow> {
  requireStores(context);
  const all = await context.account.listStores(store.kind);
  if (all.length >= storesMax) throw fault(storeCodes.tooManyStores, { fill: { count: all.length } });
  const row: StoreRow = { ...store, createdAtMs: context.nowMs, modifiedAtMs: context.nowMs };
  if (!(await context.account.putStore(initiator(context), row))) throw taken;
  return row;
}

/** Replaces the settings of a store. */
export async function setStore(
  context: ObjectsContext,
  before: StoreRow,
  settings: StoreSettings,
): Promise<StoreRow> {
  const row = {
    ...before,
    modifiedAtMs: context.nowMs,
    settings: { ...before.settings, ...settings },
  };
  await context.account.putStore(initiator(context), row);
  return row;
}

/** Removes a store that no deployed Worker is bound to. Its contents are deleted once it can no longer be reached. */
export async function removeStore(context: ObjectsContext, row: StoreRow): Promise<void> {
  const users = await listUsers(context, row);
  if (users.length > 0) throw fault(storeCodes.storeInUse, { fill: { workers: users.join(', ') } });
  await context.account.removeStore(initiator(context), row.kind, row.id);
  if (row.kind === 'r2') return;
  const stub = await openStore<{ erase(): Promise<void> }>(context, row);
  await stub.erase();
}

const bindingFields: Readonly<Record<StoreKind, readonly [type: string, field: string]>> = {
  kv: ['kv_namespace', 'namespace_id'],
  d1: ['d1', 'id'],
  queue: ['queue', 'queue_name'],
  r2: ['r2_bucket', 'bucket_name'],
};

/** The Workers whose deployed version is bound to a store. */
export async function listUsers(context: ObjectsContext, { kind, id, name }: StoreRow): Promise<string[]> {
  const [type, field] = bindingFields[kind];
  const key = kind === 'queue' || kind === 'r2' ? name : id;
  const states = await context.account.listWorkerStates();
  return states
    .filter(({ deployed }) =>
      deployed?.bindings.some((binding) => binding.type === type && binding[field] === key),
    )
    .map(({ worker }) => worker.name);
}

interface Bound {
  readonly type: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Throws if a binding names a store that the account does not have. */
export async function checkStores(context: ObjectsContext, bindings: readonly Bound[]): Promise<void> {
  for (const kind of Object.keys(bindingFields) as StoreKind[]) {
    const [type, field] = bindingFields[kind];
    const used = bindings.filter((binding) => binding.type === type);
    if (used.length === 0) continue;
    const all = await context.account.listStores(kind);
    const keys = new Set(all.map(({ id, name }) => (kind === 'queue' || kind === 'r2' ? name : id)));
    for (const { name, [field]: key } of used)
      if (!keys.has(String(key))) throw refuseUnknown(kind, name, String(key).slice(0, 64));
  }
}

function refuseUnknown(kind: StoreKind, binding: string, key: string): Fault {
  const refuse = (code: Code, fill: Record<string, string>): Fault => fault(code, { fill });
  switch (kind) {
    case 'kv':
      return refuse(storeCodes.kvNotBindable, { id: key });
    case 'd1':
      return refuse(workerCodes.invalid, {
        reason: `binding ${binding} of type d1 must have a database that already exists. Create it first, and use its id: ${key}`,
      });
    case 'queue':
      return refuse(storeCodes.queueNotFound, { name: key });
    case 'r2':
      return refuse(storeCodes.bucketNotBindable, { name: key });
  }
}

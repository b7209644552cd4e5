/** The implementation of a binding with `remote: true`, in place of an object. */
import { programEnvironment } from '#base';
import { bindingClassNames, type DeclaredBindings, type ObjectBehind } from '#bindings';
import type { Environment } from '#client';
import type { DurableObjectStub } from '#objects';
import { AccountApi, explainFailure, findMissing, type RemoteStore } from './account-api.ts';
import { RemoteD1 } from './remote-d1.ts';
import { RemoteKv } from './remote-kv.ts';
import { RemoteQueue } from './remote-queue.ts';
import { RemoteR2 } from './remote-r2.ts';

interface StoreTraits {
  readonly what: string;
  /** The permission that a token needs to use it. */
  readonly permission: string;
  readonly create: (store: RemoteStore) => object;
}

const kinds: Readonly<Record<string, StoreTraits>> = {
  [bindingClassNames.kv]: {
    what: 'the KV namespace',
    permission: 'Workers KV Storage Write',
    create: (store) => new RemoteKv(store),
  },
  [bindingClassNames.d1]: {
    what: 'the D1 database',
    permission: 'D1 Write',
    create: (store) => new RemoteD1(store),
  },
  [bindingClassNames.queues]: {
    what: 'the queue',
    permission: 'Queues Write',
    create: (store) => new RemoteQueue(store),
  },
  [bindingClassNames.r2]: {
    what: 'the bucket',
    permission: 'Workers R2 Storage Write',
    create: (store) => new RemoteR2(store),
  },
};

/** Separates the bindings that have objects here, and the start-up messages about the others. */
export function partRemote(
  declared: DeclaredBindings,
  remote: RemoteStores | undefined,
): { readonly here: DeclaredBindings; readonly warnings: readonly string[] } {
  if (remote === undefined) return { here: declared, warnings: [] };
  const warnings: string[] = [];
  const keep = <B extends ObjectBehind>(bindings: readonly B[]): B[] =>
    bindings.filter((behind) => {
      if (behind.isRemote !== true) return true;
      const obstacle = remote.findObstacle(behind);
      if (obstacle !== undefined) warnings.push(obstacle);
      return false;
    });
  const here = {
    ...declared,
    kvNamespaces: keep(declared.kvNamespaces),
    d1Databases: keep(declared.d1Databases),
    queueProducers: keep(declared.queueProducers),
    r2Buckets: keep(declared.r2Buckets),
  };
  return { here, warnings };
}

/** The stores of the account that the environment names. */
export class RemoteStores {
  readonly #environment: Environment;
  #api: AccountApi | undefined;
  readonly #opened = new Map<string, DurableObjectStub>();

  constructor(environment: Environment = programEnvironment) {
    this.#environment = environment;
  }

  /** Why every call of a binding of this name would fail; undefined if it can be used. */
  findObstacle({ name }: ObjectBehind): string | undefined {
    const missing = findMissing(this.#environment);
    return missing === undefined ? undefined : `${name} (remote: true): ${missing}`;
  }

  open(className: string, behind: ObjectBehind): DurableObjectStub {
    const { name: binding, id } = behind;
    const key = JSON.stringify([className, binding, id]);
    const opened = this.#opened.get(key);
    if (opened !== undefined) return opened;
    const obstacle = this.findObstacle(behind);
    if (obstacle !== undefined) throw new Error(obstacle);
    const { what, permission, create } = kinds[className]!;
    const api = (this.#api ??= new AccountApi(this.#environment));
    const call: AccountApi['call'] = (work, msMax) =>
      api.call(work, msMax).catch((error: unknown) => {
        throw explainFailure(error, { binding, store: `${what} ${id} of ${api.url}`, permission });
      });
    const store = create({ id, call }) as DurableObjectStub;
    this.#opened.set(key, store);
    return store;
  }
}

/** The stores in the directory of a Worker that is not running, opened without waking any of them. */
import { join } from 'node:path';
import { returnToOwner } from '#files';
import { bindingClassNames, type StoredRows } from '#bindings';
import { readDeclared, type WorkerBindings } from '#deployments';
import { openSource, SourceError } from '#hosts';
import type { ObjectRuntime } from '#objects';
import { bucketDirectory } from '#workers';
import { CommandError } from '../command.ts';

const storeKinds = ['kv', 'd1', 'r2', 'queues'] as const;
export type StoreKind = (typeof storeKinds)[number];

export interface SourceStore {
  readonly kind: StoreKind;
  /** As in the configuration that the Worker ran with. */
  readonly id: string;
  /** The names of its bindings in `env`. */
  readonly bindings: readonly string[];
  /** Its name in the account. */
  readonly name: string;
  /** The folder with the contents of a bucket. */
  readonly folder: string;
  /** The result must be disposed. */
  read(): Promise<StoredRows & Disposable>;
}

/** A class of Durable Objects, with the number of its objects. */
export interface SourceClass {
  readonly className: string;
  readonly count: number;
}

export class StoreSource implements AsyncDisposable {
  readonly #runtime: ObjectRuntime;
  readonly #directory: string;
  readonly #declared: readonly WorkerBindings[];

  private constructor(directory: string, runtime: ObjectRuntime) {
    this.#directory = directory;
    this.#runtime = runtime;
    this.#declared = readDeclared(directory);
  }

  static async open(directory: string): Promise<StoreSource> {
    try {
      return new StoreSource(directory, await openSource(directory, { user: 'your user' }));
    } catch (cause) {
      throw cause instanceof SourceError ? new CommandError(cause.message, { cause }) : cause;
    }
  }

  /** `names` are the new names of stores, by their bindings or ids. */
  async listStores(names: ReadonlyMap<string, string>): Promise<SourceStore[]> {
    const stores: SourceStore[] = [];
    for (const kind of storeKinds) {
      const className = bindingClassNames[kind];
      if (!this.#runtime.classNames.includes(className)) continue;
      for await (const { id: object, name: id = object.toString() } of this.#runtime.objects(className)) {
        const users = this.#findUsers(kind, id);
        const given = [id, ...users.map(({ binding }) => binding)].flatMap((each) => names.get(each) ?? []);
        stores.push({
          ...{ kind, id, bindings: users.map(({ binding }) => binding) },
          name: given[0] ?? chooseName(kind, id, users[0]),
          folder: join(bucketDirectory(this.#directory), object.toString()),
          read: async () => {
            const history = this.#runtime.history(object);
            return await history.readAt(await history.current());
          },
        });
      }
    }
    return stores;
  }

  /** The objects that are not stores: those of the Worker, and its workflows. */
  async countObjects(): Promise<SourceClass[]> {
    const ofStores = new Set<string>([
      ...storeKinds.map((kind) => bindingClassNames[kind]),
      bindingClassNames.r2Contents,
    ]);
    const classes: SourceClass[] = [];
    for (const className of this.#runtime.classNames.toSorted()) {
      if (ofStores.has(className)) continue;
      let count = 0;
      for await (const _object of this.#runtime.objects(className)) count++;
      if (count > 0) classes.push({ className, count });
    }
    return classes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime.close();
    returnToOwner(this.#directory);
  }

  #findUsers(kind: StoreKind, id: string): User[] {
    return this.#declared.flatMap(({ worker, declared }) => {
      const { kvNamespaces: kv, d1Databases: d1, r2Buckets: r2, queueProducers: queues } = declared;
      return { kv, d1, r2, queues }[kind]
        .filter((each) => each.id === id)
        .map(({ name }) => ({ worker, binding: name }));
    });
  }
}

interface User {
  readonly worker: string;
  readonly binding: string;
}

/** The limit for names of buckets and queues; others may be longer. */
const nameCharactersMax = 63;

/** Named as Wrangler would. Buckets and queues with a name in the configuration keep it. */
function chooseName(kind: StoreKind, id: string, user: User | undefined): string {
  const isNamed = kind === 'r2' || kind === 'queues';
  if (user === undefined || (isNamed && user.binding !== id)) return id;
  return `${user.worker}-${user.binding}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .slice(0, nameCharactersMax);
}

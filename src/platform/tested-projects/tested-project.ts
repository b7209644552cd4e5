/** A project under test: its Workers, and the functions of `cloudflare:test`. */
import { wrongType } from '#base';
import {
  DurableObjectId,
  DurableObjectNamespace,
  type DurableObjectState,
  classNameOf as classNameOfId,
} from '#objects';
import {
  type Answer,
  createScheduledController,
  type ExecutionContext,
  type ModuleExports,
  type QueueResult,
  type ScheduledOptions,
  type SentMessage,
  TestBatch,
  type TestedWorker,
  TestWorkers,
} from '#workers';
import { applyD1Migrations } from './d1-migrations.ts';
import { ContextWork } from './context-work.ts';
import type { TestSetup } from './options.ts';
import type { FunctionNumber } from './worker-setup.ts';

export interface TestProjectParts {
  readonly setup: TestSetup;
  /** Loads the main module of the Worker under test, or contains its modules. */
  readonly code: TestedWorker['code'];
  /** The function of the configuration with this number. */
  readonly answerOf: (number: FunctionNumber) => Answer;
  readonly log: (message: string, error?: unknown) => void;
}

export interface EvictionOptions {
  /** What happens to sockets with hibernation; by default they stay open. */
  readonly webSockets?: 'close' | 'hibernate';
}

export class TestProject implements AsyncDisposable {
  readonly #workers: TestWorkers;
  readonly #works = new WeakMap<object, ContextWork>();

  private constructor(workers: TestWorkers) {
    this.#workers = workers;
  }

  static async open({ setup, code, answerOf, log }: TestProjectParts): Promise<TestProject> {
    const workers = setup.workers.map(({ config, modules, functions, outbound }): TestedWorker => ({
      config,
      code: modules ?? code,
      outbound: outbound === undefined ? undefined : answerOf(outbound),
      functions: Object.fromEntries(
        Object.entries(functions).map(([name, number]) => [name, answerOf(number)]),
      ),
    }));
    return new TestProject(
      await TestWorkers.open({
        workers,
        log: {
          info: (text) => log(text),
          warn: (text) => log(text),
          error: (error, during) => log(during ?? 'a Worker has failed', error),
        },
      }),
    );
  }

  /** The content of `cloudflare:workers` for the Worker under test, in addition to its classes. */
  get platform(): TestWorkers['platform']['module'] {
    return this.#workers.platform.module;
  }

  /** The bindings of the Worker under test. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what they are, the configuration says
  get env(): any {
    return this.platform.env;
  }

  /** The entry points of the Worker under test, and the namespaces of its classes. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what they are, the module says
  get exports(): any {
    return this.platform.exports;
  }

  /** The default export of the Worker under test, as another Worker calls it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what its methods are, the module says
  readonly SELF: any = new Proxy(
    {},
    {
      get: (_target, name) => {
        const target = this.exports['default'] as object;
        return Reflect.get(target, name) as unknown;
      },
    },
  );

  /** Loads the code of the Worker under test now, instead of at its first call. */
  readonly load = async (): Promise<ModuleExports> => await this.#workers.load();

  /** Runs code inside an object, with its instance and its `ctx`. */
  readonly runInDurableObject = async <Instance extends object, Result>(
    stub: StubLike,
    body: (instance: Instance, state: DurableObjectState) => Result,
  ): Promise<Awaited<Result>> => {
    const id = idOf(stub, 'runInDurableObject');
    if (typeof body !== 'function') throw wrongType({ method: 'runInDurableObject' }, 2, 'function');
    return await this.#workers.runtime.runInside(id, (instance, state) => body(instance as Instance, state));
  };

  /** Runs the alarm of an object now, if it has one; returns whether it had. Rejects with the alarm's error. */
  readonly runDurableObjectAlarm = async (stub: StubLike): Promise<boolean> => {
    const id = idOf(stub, 'runDurableObjectAlarm');
    return await this.#workers.runtime.runInside(id, async (instance, { storage }) => {
      if ((await storage.getAlarm()) === null) return false;
      await storage.deleteAlarm();
      await (instance as { alarm?: (info: object) => unknown }).alarm?.({ retryCount: 0, isRetry: false });
      return true;
    });
  };

  /** The ids of the objects of a namespace that have stored something. */
  readonly listDurableObjectIds = async (namespace: DurableObjectNamespace): Promise<DurableObjectId[]> => {
    if (!(namespace instanceof DurableObjectNamespace))
      throw wrongType({ method: 'listDurableObjectIds' }, 1, 'DurableObjectNamespace');
    const ids: DurableObjectId[] = [];
    for await (const { id } of this.#workers.runtime.objects(classNameOf(namespace)))
      ids.push(namespace.idFromString(id.toString()));
    return ids;
  };

  /** Evicts an object once it is idle: memory is lost, stored data stays. */
  readonly evictDurableObject = async (stub: StubLike, options?: EvictionOptions): Promise<void> => {
    const id = idOf(stub, 'evictDurableObject');
    const wasAwake = await this.#workers.runtime.evict(id, readEviction(options));
    if (!wasAwake) throw new Error('Cannot evict Durable Object: it is not currently running.');
  };

  readonly evictAllDurableObjects = async (options?: EvictionOptions): Promise<void> => {
    await this.#workers.runtime.evictAll(readEviction(options));
  };

  /** Aborts every object at once, even busy ones. Stored data stays. */
  readonly abortAllDurableObjects = async (): Promise<void> => {
    this.#workers.abortAll();
  };

  /** Deletes all stored data: of objects, in bindings, in caches. */
  readonly reset = async (): Promise<void> => {
    await this.#workers.reset();
  };

  /** The third argument of a handler that a test calls directly. */
  readonly createExecutionContext = (): ExecutionContext => {
    const work = new ContextWork();
    const context = this.#workers.createContext(work);
    this.#works.set(context, work);
    return context;
  };

  /** Resolves when all promises passed to `waitUntil()` have settled; rejects with their failure. */
  readonly waitOnExecutionContext = async (context: object): Promise<void> => {
    const work = typeof context === 'object' && context !== null ? this.#works.get(context) : undefined;
    if (work === undefined)
      throw new TypeError(
        "Failed to execute 'getWaitUntil': parameter 1 is not of type 'ExecutionContext'.\n" +
          "You must call 'createExecutionContext()' or 'createPagesEventContext()' to get an 'ExecutionContext' instance.",
      );
    await work.end();
  };

  readonly createScheduledController = (options?: ScheduledOptions) => createScheduledController(options);

  readonly createMessageBatch = (queue: string, messages: readonly SentMessage[]): TestBatch =>
    new TestBatch(queue, messages);

  /** The handler's result for a batch, once all its background work has ended. */
  readonly getQueueResult = async (batch: unknown, context: object): Promise<QueueResult> => {
    if (!(batch instanceof TestBatch))
      throw new TypeError(
        "Failed to execute 'getQueueResult': parameter 1 is not of type 'MessageBatch'.\n" +
          "You must call 'createMessageBatch()' to get a 'MessageBatch' instance.",
      );
    await this.waitOnExecutionContext(context);
    return batch.result();
  };

  readonly applyD1Migrations = applyD1Migrations;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workers[Symbol.asyncDispose]();
  }
}

function idOf(stub: unknown, method: string): DurableObjectId {
  if (!isStub(stub)) throw wrongType({ method }, 1, 'DurableObjectStub');
  return stub.id;
}

function readEviction(options: EvictionOptions | undefined): { readonly closesSockets: boolean } {
  const { webSockets = 'hibernate' } = options ?? {};
  if (webSockets !== 'close' && webSockets !== 'hibernate')
    throw new TypeError(`webSockets must be "close" or "hibernate": ${JSON.stringify(webSockets)}`);
  return { closesSockets: webSockets === 'close' };
}

/** A stub, which names an object. */
interface StubLike {
  readonly id: DurableObjectId;
}

function isStub(value: unknown): value is StubLike {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    (value as Partial<StubLike>).id instanceof DurableObjectId
  );
}

/** The class of a namespace's objects, by its name in the runtime. */
function classNameOf(namespace: DurableObjectNamespace): string {
  return classNameOfId(namespace.newUniqueId());
}

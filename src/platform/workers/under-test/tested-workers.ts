/**
 * Workers under test: their code in this process beside the tests, their objects and bindings in memory, empty at the start.
 *
 * Promises:
 * - code that the test runner loads runs when it is first needed: a test can install mocks before;
 * - a test and a Worker whose code it loads share modules, classes and instances;
 * - stored data is lost when the process ends, and with `reset()`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, realClock } from '#base';
import {
  createBindingClasses,
  createConsumerStub,
  type DeclaredBindings,
  type MessageBatch,
  QueueConsumer,
  startBindings,
  type WorkflowCode,
} from '#bindings';
import {
  callingSide,
  type ClassOptions,
  createRuntime,
  type DurableObjectClass,
  type DurableObjectNamespace,
  IdFactory,
  MemoryHome,
  type Runtime,
  Scratch,
} from '#objects';
import {
  explainMissingMembers,
  useErrorSettings,
  Capability,
  type LinkEntry,
  outside,
  type Side,
} from '#rpc';
import { useSocketSettings } from '#sockets';
import { BackgroundWork } from '../background.ts';
import { ConfigError } from '../config/config-error.ts';
import { createEntrypoint, ExecutionContext, queueHandler } from '../entry.ts';
import { clearCaches } from '../globals/cache/cache.ts';
import { installGlobals } from '../globals/install.ts';
import { useErrorReports } from '../globals/report-error.ts';
import { loadMsMaxDefault } from '../limits.ts';
import type { WorkflowEntrypoint } from '../modules/cloudflare-workers.ts';
import type { WorkerLog } from '../options.ts';
import { checkNames, isClass, joinDeclared, notExported, prepareWorker, runModules } from '../plan.ts';
import { placeOf, type PreparedWorker, runtimeName } from '../planned-worker.ts';
import { Platform } from '../platform.ts';
import { GlobalScope } from '../realm/global-scope.ts';
import type { Surroundings } from '../services/service-entry.ts';
import { createFetcher, createLoopback } from '../services/service-stub.ts';
import { fillEnv, seenBy } from '../worker-env.ts';
import { createExportsView } from './exports-view.ts';
import { LazyExports, type ModuleExports, type TestedWorker, type Answer } from './tested-code.ts';

export interface TestWorkersOptions {
  /** The first one is under test; the others run beside it. */
  readonly workers: readonly TestedWorker[];
  readonly log: WorkerLog;
  readonly clock?: Clock;
}

interface Tested extends PreparedWorker {
  readonly lazy: LazyExports;
}

export class TestWorkers implements AsyncDisposable {
  readonly #options: TestWorkersOptions;
  readonly #background: BackgroundWork;
  readonly #consumer: QueueConsumer;
  readonly #directory = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  readonly #home: MemoryHome;
  #workers: readonly Tested[] = [];
  #declared: DeclaredBindings | undefined;
  #runtime: Runtime | undefined;

  private constructor(options: TestWorkersOptions) {
    const { clock = realClock, log } = options;
    this.#options = options;
    this.#background = new BackgroundWork((error) => log.error(error));
    this.#consumer = new QueueConsumer((error) => log.error(error));
    this.#home = new MemoryHome({
      scratch: new Scratch(join(this.#directory, 'live')),
      now: () => clock.now(),
      sync: () => Promise.resolve(),
    });
  }

  static async open(options: TestWorkersOptions): Promise<TestWorkers> {
    const opened = new TestWorkers(options);
    try {
      await opened.#open();
      return opened;
    } catch (error) {
      await opened[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The content of `cloudflare:workers` for the Worker under test, and for its tests. */
  get platform(): Platform {
    return this.#workers[0]!.platform;
  }

  get runtime(): Runtime {
    return this.#runtime!;
  }

  /** Loads the code of the Worker under test now. */
  async load(): Promise<ModuleExports> {
    return await this.#workers[0]!.lazy.get();
  }

  /** A context for a handler that a test calls directly; `work` collects its background work. */
  createContext(work: BackgroundWork): ExecutionContext {
    return new ExecutionContext({ background: work, exports: this.platform.exports });
  }

  /** Deletes everything that objects and bindings have stored, and caches. */
  async reset(): Promise<void> {
    this.#endAll('reset() was called.');
    // Ending objects release their storage asynchronously.
    await this.runtime.untilIdle();
    this.#home.clear();
    rmSync(this.#buckets, { recursive: true, force: true });
    clearCaches();
    await startBindings(this.#declared!, (name) => this.runtime.namespace(name));
  }

  /** Aborts every object at once, even busy ones; stored data stays. */
  abortAll(): void {
    this.#endAll('abortAllDurableObjects() was called.');
  }

  #endAll(message: string): void {
    const cause = Object.assign(new Error(message), { durableObjectReset: true });
    this.#home.crash(cause, (_owner, pending) => pending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime?.close();
    for (const { platform } of this.#workers) platform[Symbol.dispose]();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get #buckets(): string {
    return join(this.#directory, 'buckets');
  }

  async #open(): Promise<void> {
    const { workers: tested, log } = this.#options;
    checkNames(tested);
    installGlobals();
    useErrorReports((error) => this.#background.report(error));
    const { sockets, errors = { keepsProperties: false } } = tested[0]!.config.compatibility;
    useSocketSettings(sockets);
    useErrorSettings(errors);
    explainMissingMembers();
    const scope = new GlobalScope();
    this.#workers = tested.map((worker) => this.#prepare(worker, scope));
    const namespaceOf = (className: string): DurableObjectNamespace => this.runtime.namespace(className);
    const surroundings = this.#surroundings;
    for (const worker of this.#workers) {
      fillEnv(worker, this.#workers, { namespaceOf, surroundings });
      this.#addFunctions(worker);
    }
    this.#declared = this.#joinBindings();
    this.#warnOfRemote(this.#declared);
    this.#setOutbound(tested[0]!);
    this.#runtime = await this.#createRuntime();
    scope.leave();
    this.#consumer.use((batch) => this.#consume(batch, (error) => log.error(error)));
    await startBindings(this.#declared, namespaceOf);
  }

  #prepare(worker: TestedWorker, scope: GlobalScope): Tested {
    const { config } = worker;
    const find = (): Tested => this.#workers.find((each) => each.config === config)!;
    const exports = createExportsView({
      loaded: () => find().lazy.current,
      classNames: [...config.classes.keys()],
      namespaceOf: (className) => this.runtime.namespace(runtimeName(this.#workers, find(), className)),
      entrypointOf: (entrypoint) =>
        createLoopback({ service: config.name, entrypoint, props: {} }, this.#surroundings, seenBy(config)),
    });
    const platform = new Platform(this.#background, exports);
    // This code is never replaced: its modules see the final values from the start.
    const prepared = { ...prepareWorker(worker, () => platform), env: platform.env };
    return { ...prepared, lazy: new LazyExports(() => this.#loadCode(worker, prepared, scope)) };
  }

  async #loadCode(
    { code, config, outbound }: TestedWorker,
    prepared: PreparedWorker,
    scope: GlobalScope,
  ): Promise<ModuleExports> {
    if (typeof code === 'function') return await code();
    const globals = outbound === undefined ? {} : { fetch: createFetch(outbound) };
    try {
      return await runModules(prepared, code, { scope, loadMsMax: loadMsMaxDefault, globals });
    } catch (error) {
      throw new ConfigError(`the Worker "${config.name}" cannot be loaded: ${String(error)}`, {
        cause: error,
      });
    }
  }

  /** Code that runs as part of the tests uses the globals of the process. */
  #setOutbound({ code, outbound }: TestedWorker): void {
    if (typeof code === 'function' && outbound !== undefined) globalThis.fetch = createFetch(outbound);
  }

  async #createRuntime(): Promise<Runtime> {
    const { log, clock } = this.#options;
    const stub = createConsumerStub(this.#consumer);
    return await createRuntime({
      directory: 'memory',
      classes: {
        ...Object.fromEntries(this.#workers.flatMap((worker) => this.#classesOf(worker))),
        ...createBindingClasses(this.#declared!, {
          namespaceOf: (className) => this.runtime.namespace(className),
          consumer: () => stub,
          bucketDirectory: this.#buckets,
          workflowOf: (name) => this.#workflowOf(name),
          log: (message) => log.warn(message),
        }),
      },
      ...(clock === undefined ? {} : { clock }),
      log: (message, error) => (error === undefined ? log.error(message) : log.error(error, message)),
      simulation: {
        home: this.#home,
        defer: setImmediate,
        route: (object) => object.open(),
        idsOf: (className, uniqueKey) => new IdFactory(className, uniqueKey),
      },
    });
  }

  #classesOf(worker: Tested): [string, ClassOptions][] {
    const { config, platform, lazy } = worker;
    return [...config.classes].map(([className, declared]) => [
      runtimeName(this.#workers, worker, className),
      {
        class: NotLoaded,
        load: async () => findClass(worker, await lazy.get(), className),
        ...placeOf(declared, worker, this.#workers),
        deleteAllDeletesAlarm: config.compatibility.deleteAllDeletesAlarm,
        env: platform.env,
        exports: platform.exports,
      },
    ]);
  }

  /** Some bindings are implemented by functions of the tests. */
  #addFunctions({ env, config }: Tested): void {
    const { functions = {} } = this.#options.workers.find((each) => each.config === config)!;
    for (const [name, answer] of Object.entries(functions))
      env[name] = createFetcher(new FunctionEntry(answer));
  }

  /** A test must not change shared data. */
  #warnOfRemote({ kvNamespaces, d1Databases, queueProducers, r2Buckets }: DeclaredBindings): void {
    for (const { name, isRemote } of [...kvNamespaces, ...d1Databases, ...queueProducers, ...r2Buckets])
      if (isRemote === true)
        this.#options.log.warn(`the binding ${name} has remote: true: in tests, its data is kept here`);
  }

  #joinBindings(): DeclaredBindings {
    const configs = this.#workers.map(({ config }) => config);
    return {
      ...joinDeclared(configs),
      workflows: configs.flatMap(({ declared }) => declared.workflows ?? []),
    };
  }

  async #consume(batch: MessageBatch, onError: (error: unknown) => void): Promise<void> {
    const worker =
      this.#workers.find(({ config }) =>
        config.declared.queueConsumers.some(({ queue }) => queue === batch.queue),
      ) ?? this.#workers[0]!;
    const exports = await worker.lazy.get();
    const background = new BackgroundWork(onError);
    const context = new ExecutionContext({ background, exports: worker.platform.exports });
    await queueHandler(exports['default'])(batch, worker.platform.env, context);
    await background.settled();
  }

  async #workflowOf(name: string): Promise<WorkflowCode | undefined> {
    for (const worker of this.#workers) {
      const { config, platform, lazy } = worker;
      const found = config.declared.workflows?.find(({ id, script }) => id === name && script === undefined);
      if (found === undefined) continue;
      const entry = findClass(worker, await lazy.get(), found.className, 'WorkflowEntrypoint');
      const { background, env, exports } = platform;
      const context = new ExecutionContext({ background, exports });
      return {
        stepsMax: found.stepsMax,
        keepsFatalMessages: config.compatibility.keepsFatalMessages ?? false,
        run: (event, step) => (createEntrypoint(entry, env, context) as WorkflowEntrypoint).run(event, step),
      };
    }
    return undefined;
  }

  readonly #surroundings: Surroundings = {
    find: (service) => {
      const found = this.#workers.find(({ config }) => config.name === service);
      return found === undefined
        ? undefined
        : { exports: found.lazy.current ?? {}, platform: found.platform };
    },
    load: (service) => {
      const found = this.#workers.find(({ config }) => config.name === service);
      if (found === undefined || found.lazy.current !== undefined) return undefined;
      return found.lazy.get().then(() => {});
    },
    run: (body) => body(),
  };
}

/** Placeholder for a class whose code is not loaded. */
class NotLoaded {}

function findClass(
  { config }: Tested,
  exports: ModuleExports,
  className: string,
  base?: string,
): DurableObjectClass {
  const found = exports[className];
  if (isClass(found)) return found;
  throw notExported(config, exports, className, className, base);
}

/** A `fetch` that calls a function: an object's requests pass its output gate. */
function createFetch(outbound: NonNullable<TestedWorker['outbound']>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    return await callingSide.reach(async () => await outbound(request));
  };
}

/** A binding that a function of the tests implements; it has no methods. */
class FunctionEntry extends Capability implements LinkEntry {
  readonly #answer: Answer;

  constructor(answer: Answer) {
    super({ owner: outside, target: () => ({}), reserved: new Set() });
    this.#answer = answer;
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    return holder.reach(async () => await this.#answer(request));
  }
}

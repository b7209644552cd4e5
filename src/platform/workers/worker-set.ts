/**
 * The Workers of a program in this process: their code, with its `env` and `exports`. Every process that runs their
 * objects has all of them, so that a call from an object to a Worker stays in its process.
 */
import { assert, type Clock } from '#base';
import type { MessageBatch, WorkflowCode } from '#bindings';
import { type DurableObjectNamespace, runAtClock } from '#objects';
import { useErrorSettings } from '#rpc';
import { useSocketSettings } from '#sockets';
import { BackgroundWork } from './background.ts';
import {
  callScheduled,
  createEntrypoint,
  entryHandler,
  ExecutionContext,
  queueHandler,
  type ScheduledController,
} from './entry.ts';
import { useErrorReports } from './globals/report-error.ts';
import { loadMsMaxDefault } from './limits.ts';
import { loadPlan } from './plan.ts';
import type { WorkflowEntrypoint } from './modules/cloudflare-workers.ts';
import type { WorkerPlan, PlannedWorker } from './planned-worker.ts';
import { Platform } from './platform.ts';
import type { BuiltProject } from './project.ts';
import { RemoteStores } from './remote/remote-stores.ts';
import type { AskedObject } from './serve/visitor.ts';
import { GlobalScope } from './realm/global-scope.ts';
import type { Neighbours } from './services/neighbours.ts';
import { ServiceEntry, type ServiceTarget, type Surroundings } from './services/service-entry.ts';
import { describeFetch, recordCall } from './tail/recorded-calls.ts';
import { describeExports } from './worker-env.ts';

export interface WorkerSetOptions {
  readonly onError: (error: unknown) => void;
  /** The clock of handlers, if it is virtual. */
  readonly clock?: Clock | undefined;
  /** How long the modules of a Worker may take to run for the first time. */
  readonly loadMsMax?: number | undefined;
  /** The other Workers of the account. */
  readonly neighbours?: Neighbours | undefined;
}

type NamespaceOf = (className: string) => DurableObjectNamespace;

export class WorkerSet implements Disposable {
  readonly background: BackgroundWork;
  readonly #clock: Clock | undefined;
  readonly #loadMsMax: number;
  readonly #neighbours: Neighbours | undefined;
  #callsOpen = 0;
  /** By the name of the Worker: shared by all versions of its code. */
  readonly #platforms = new Map<string, Platform>();
  readonly #remote = new RemoteStores();
  #workers: readonly PlannedWorker[] = [];
  readonly #adopted = Promise.withResolvers<void>();
  #handler: ReturnType<typeof entryHandler> | undefined;
  /** The names of classes whose objects can be called. */
  #classes: ReadonlySet<string> = new Set();
  /** Finds objects, once they can be called. */
  #namespaceOf: NamespaceOf | undefined;

  constructor({ onError, clock, loadMsMax = loadMsMaxDefault, neighbours }: WorkerSetOptions) {
    this.#loadMsMax = loadMsMax;
    this.#neighbours = neighbours;
    this.background = new BackgroundWork(onError);
    this.#clock = clock?.virtual === true ? clock : undefined;
  }

  /** Loads another version. The running one continues until `adopt`. */
  async load(projects: readonly BuiltProject[]): Promise<WorkerPlan> {
    const scope = new GlobalScope();
    return await loadPlan(projects, {
      platformOf: (name) => this.#platformOf(name),
      scope,
      loadMsMax: this.#loadMsMax,
      remote: this.#remote,
      neighbours: this.#neighbours,
      namespaceOf: (className) => {
        scope.check();
        assert(this.#namespaceOf !== undefined, 'code that has been loaded runs when its objects are there');
        return this.#namespaceOf(className);
      },
      surroundings: {
        ...this.#surroundings,
        run: (body) => {
          scope.check();
          return this.#surroundings.run(body);
        },
      },
    });
  }

  /** Switches to a loaded version. */
  adopt(plan: WorkerPlan, namespaceOf: NamespaceOf): void {
    const { workers } = plan;
    this.#workers = workers;
    this.#namespaceOf = namespaceOf;
    this.#classes = new Set(Object.keys(plan.classes));
    for (const worker of workers) {
      const exports = describeExports(worker, plan, { namespaceOf, surroundings: this.#surroundings });
      worker.platform.refill({ env: worker.env, exports });
    }
    const [first] = workers;
    this.#handler = entryHandler(first!.exports['default']);
    useErrorReports((error) => this.background.report(error));
    const { sockets, errors = { keepsProperties: false } } = first!.config.compatibility;
    useSocketSettings(sockets);
    useErrorSettings(errors);
    this.#adopted.resolve();
  }

  /** The Worker that answers requests. */
  get first(): PlannedWorker {
    return this.#workers[0]!;
  }

  fetch(request: Request): Response | Promise<Response> {
    return this.first.assets?.answerFirst(request) ?? this.#answer(request);
  }

  /** Calls `fetch()` of an object of the first Worker. */
  async fetchObject(request: Request, { className, name }: AskedObject): Promise<Response> {
    if (!this.#classes.has(className))
      return new Response(`the Worker has no class ${className}\n`, { status: 501 });
    const namespace = this.#namespaceOf!(className);
    return await namespace.get(namespace.idFromName(name)).fetch(request);
  }

  #answer(request: Request): Response | Promise<Response> {
    const { env, context } = this.#prepare();
    if (this.#clock === undefined) return this.#handler!(request, env, context);
    return runAtClock(this.#clock, () => this.#handler!(request, env, context));
  }

  /** Calls `scheduled()` of the first Worker; undefined if it has none. */
  async scheduled(controller: ScheduledController): Promise<'ok' | undefined> {
    const exported = this.first.exports['default'];
    return await this.#surroundings.run(() => callScheduled(exported, controller, this.#prepare()));
  }

  /** Calls `queue()` of the Worker that consumes the queue, and waits for its background work. */
  async consume(batch: MessageBatch, onError: (error: unknown) => void): Promise<void> {
    const worker = this.#workers.find(({ config }) =>
      config.declared.queueConsumers.some(({ queue }) => queue === batch.queue),
    );
    const { exports, platform } = worker ?? this.first;
    const background = new BackgroundWork(onError);
    const context = new ExecutionContext({ background, exports: platform.exports });
    await this.#surroundings.run(() => queueHandler(exports['default'])(batch, platform.env, context));
    await background.settled();
  }

  /** The code of a workflow, once there is code; undefined if no Worker has it. */
  async workflowOf(name: string): Promise<WorkflowCode | undefined> {
    // Overdue alarms fire as soon as the objects exist, which is before the Workers do.
    await this.#adopted.promise;
    for (const { config, exports, platform } of this.#workers) {
      const workflow = config.declared.workflows?.find(
        ({ id, script }) => id === name && script === undefined,
      );
      if (workflow === undefined) continue;
      const { background, env } = platform;
      const context = new ExecutionContext({ background, exports: platform.exports });
      return {
        stepsMax: workflow.stepsMax,
        keepsFatalMessages: config.compatibility.keepsFatalMessages ?? false,
        run: (event, step) => {
          const entrypoint = createEntrypoint(exports[workflow.className], env, context);
          return (entrypoint as WorkflowEntrypoint).run(event, step);
        },
      };
    }
    return undefined;
  }

  /** The number of other Workers' calls in progress. */
  get callsOpen(): number {
    return this.#callsOpen;
  }

  /** An entry point of the first Worker, for another one. */
  openService(target: Pick<ServiceTarget, 'entrypoint' | 'props'>): ServiceEntry {
    return new ServiceEntry({ service: this.first.config.name, ...target }, this.#called);
  }

  [Symbol.dispose](): void {
    for (const platform of this.#platforms.values()) platform[Symbol.dispose]();
  }

  readonly #surroundings: Surroundings = {
    find: (service) => this.#workers.find(({ config }) => config.name === service),
    run: (body) => (this.#clock === undefined ? body() : runAtClock(this.#clock, body)),
  };

  readonly #called: Surroundings = {
    find: (service) => this.#surroundings.find(service),
    run: (body) => {
      this.#callsOpen++;
      const end = (): void => void this.#callsOpen--;
      const result = this.#surroundings.run(body);
      void Promise.resolve(result).then(end, end);
      return result;
    },
    record: (request, answer) => recordCall((response) => describeFetch(request, response), answer),
  };

  #prepare(): { readonly env: object; readonly context: ExecutionContext } {
    const { env, exports } = this.first.platform;
    return { env, context: new ExecutionContext({ background: this.background, exports }) };
  }

  #platformOf(name: string): Platform {
    let platform = this.#platforms.get(name);
    if (platform === undefined) this.#platforms.set(name, (platform = new Platform(this.background)));
    return platform;
  }
}

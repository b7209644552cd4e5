/**
 * The Workers of a program in this process: their code, and what it sees as `env` and `exports`. Every process that runs
 * objects of theirs has all of them, so that a call from an object to a Worker stays in its process.
 */
import type { Clock } from '#base';
import { createBindings, type MessageBatch } from '#bindings';
import { DurableObject, type DurableObjectNamespace, runAtClock } from '#objects';
import { useSocketSettings } from '#sockets';
import { AssetEntry } from './assets/asset-entry.ts';
import { BackgroundWork } from './background.ts';
import {
  callScheduled,
  entryHandler,
  ExecutionContext,
  queueHandler,
  type ScheduledController,
} from './entry.ts';
import { useErrorReports } from './globals/report-error.ts';
import { WorkerEntrypoint } from './modules/cloudflare-workers.ts';
import { findOwner, loadPlan, type Plan, type PlannedWorker, runtimeName } from './plan.ts';
import { Platform } from './platform.ts';
import type { BuiltProject } from './project.ts';
import { createFetcher, createLoopback, createServiceStub } from './services/service-stub.ts';
import type { Surroundings } from './services/service-entry.ts';

export interface WorkerSetOptions {
  readonly onError: (error: unknown) => void;
  /** The time that handlers live by, if it is virtual. */
  readonly clock?: Clock | undefined;
}

export class WorkerSet implements Disposable {
  readonly background: BackgroundWork;
  readonly #clock: Clock | undefined;
  /** By the name of the Worker: the same for all versions of its code. */
  readonly #platforms = new Map<string, Platform>();
  #workers: readonly PlannedWorker[] = [];
  #handler: ReturnType<typeof entryHandler> | undefined;

  constructor({ onError, clock }: WorkerSetOptions) {
    this.background = new BackgroundWork(onError);
    this.#clock = clock?.virtual === true ? clock : undefined;
  }

  /** Loads another version. What runs goes on until `adopt`. */
  async load(projects: readonly BuiltProject[]): Promise<Plan> {
    return await loadPlan(projects, (name) => this.#platformOf(name));
  }

  /** Goes on with a version that was loaded. */
  adopt(plan: Plan, namespaceOf: NamespaceOf): void {
    const { workers } = plan;
    this.#workers = workers;
    for (const worker of workers) {
      const { env, exports } = describePlatform(worker, {
        plan,
        namespaceOf,
        surroundings: this.#surroundings,
      });
      worker.platform.refill({ env, exports, vars: worker.config.vars });
    }
    const [first] = workers;
    this.#handler = entryHandler(first!.exports['default']);
    useErrorReports((error) => this.background.report(error));
    useSocketSettings(first!.config.compatibility.sockets);
  }

  /** The Worker that answers requests. */
  get first(): PlannedWorker {
    return this.#workers[0]!;
  }

  fetch(request: Request): Response | Promise<Response> {
    return this.first.assets?.answerFirst(request) ?? this.#answer(request);
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

  /** Calls `queue()` of the Worker that consumes the queue, and waits for what it leaves running. */
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

  [Symbol.dispose](): void {
    for (const platform of this.#platforms.values()) platform[Symbol.dispose]();
  }

  readonly #surroundings: Surroundings = {
    find: (service) => this.#workers.find(({ config }) => config.name === service),
    run: (body) => (this.#clock === undefined ? body() : runAtClock(this.#clock, body)),
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

type NamespaceOf = (className: string) => DurableObjectNamespace;

interface PlatformParts {
  readonly plan: Plan;
  readonly namespaceOf: NamespaceOf;
  readonly surroundings: Surroundings;
}

/** What a Worker and its objects see. */
function describePlatform(worker: PlannedWorker, parts: PlatformParts): { env: object; exports: object } {
  const { namespaceOf, surroundings } = parts;
  const { workers } = parts.plan;
  const { config, bindings } = worker;
  const { queueContentType } = config.compatibility;
  const env: Record<string, unknown> = {
    ...config.vars,
    ...createBindings(config.declared, { namespaceOf, queueContentType }),
  };
  for (const [name, explanation] of config.absent) defineAbsent(env, name, explanation);
  for (const binding of bindings) {
    const owner = findOwner(workers, worker, binding);
    if (owner === undefined)
      defineAbsent(env, binding.name, explainAbsentOwner(binding.name, binding.script!));
    else env[binding.name] = namespaceOf(runtimeName(workers, owner, binding.className));
  }
  for (const { name, ...target } of config.services) env[name] = createServiceStub(target, surroundings);
  const { assets } = worker;
  if (assets !== undefined && config.assets?.binding !== undefined) {
    env[config.assets.binding] = createFetcher(new AssetEntry(assets));
  }
  return { env, exports: describeExports(worker, parts) };
}

function describeExports(worker: PlannedWorker, parts: PlatformParts): Record<string, unknown> {
  const { plan, namespaceOf, surroundings } = parts;
  const { config, exports } = worker;
  const shown: Record<string, unknown> = {};
  for (const [name, exported] of Object.entries(exports)) {
    const prototype: unknown = typeof exported === 'function' ? exported.prototype : undefined;
    const entrypoint = name === 'default' ? undefined : name;
    if (prototype instanceof DurableObject) {
      const className = runtimeName(plan.workers, worker, name);
      if (className in plan.classes) shown[name] = namespaceOf(className);
    } else if (name === 'default' || prototype instanceof WorkerEntrypoint) {
      shown[name] = createLoopback({ service: config.name, entrypoint, props: {} }, surroundings);
    }
  }
  return shown;
}

function explainAbsentOwner(name: string, script: string): string {
  return `the objects of ${name} are those of the Worker "${script}", which does not run here`;
}

/** Not enumerable, so that a copy of the whole `env` does not trip over it. */
function defineAbsent(env: object, name: string, explanation: string): void {
  Object.defineProperty(env, name, {
    configurable: true,
    get() {
      throw new Error(explanation);
    },
  });
}

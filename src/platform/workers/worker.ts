/**
 * A running Worker: its module, its objects, and the change from one version of its code to the next.
 *
 * Promises:
 * - a version that cannot be loaded (syntax, configuration, a missing class) never replaces a running one;
 * - when a version is replaced, its objects are reset, and those of its successor have the same storage and alarms;
 *   requests that arrive meanwhile wait for the successor;
 * - one change at a time: a reload that is requested during a reload runs after it, once.
 */
import { join } from 'node:path';
import { realClock, waitForPredecessor } from '#base';
import { PrivateListener, socketNames } from '#listeners';
import { type BatchOutcome, type DeliveredMessage, QueueConsumer, type QueueMetrics } from '#bindings';
import { Neighbours, type OwnEntries } from './services/neighbours.ts';
import { openStores, ownBindings, type Stores, useBindings } from './services/account-stores.ts';
import { type DurableObjectNamespace, IdFactory, type ObjectRuntime, Runtime } from '#objects';
import { retireConnections } from '#sockets';
import { describeError } from './errors/describe-error.ts';
import { closeGraceMs } from './limits.ts';
import type { WorkerLog, WorkerOptions } from './options.ts';
import type { WorkerPlan } from './planned-worker.ts';
import { type BuiltProject, ProjectBuilder } from './project.ts';
import { describeEntry, type ScheduledController } from './entry.ts';
import { SourceWatcher } from './source-watcher.ts';
import type { AskedObject } from './serve/visitor.ts';
import { answerOperators } from './serve/answer-operators.ts';
import { CronTimers } from './triggers/cron-timers.ts';
import { recordCall } from './tail/recorded-calls.ts';
import { openObjects, type LoadedProjects, type WorkerObjects } from './worker-objects.ts';
import { WorkerSet } from './worker-set.ts';

interface OpenedParts {
  readonly builder: ProjectBuilder;
  readonly workers: WorkerSet;
  readonly objects: WorkerObjects;
  readonly consumer: QueueConsumer;
  readonly stores: Stores | undefined;
  readonly neighbours: Neighbours | undefined;
  readonly door: PrivateListener | undefined;
}

export class Worker {
  readonly #options: WorkerOptions;
  readonly #parts: OpenedParts;
  readonly #watcher: SourceWatcher | undefined;
  readonly #crons: CronTimers | undefined;
  #files: Set<string>;
  /** Present while a version is being replaced. */
  #replacing: Promise<void> | undefined;
  #reloading: Promise<void> | undefined;
  #reloadAgain = false;
  /** Why the newest code does not run: reported once, however often it is retried. */
  #failure: string | undefined;

  private constructor(options: WorkerOptions, parts: OpenedParts, files: Set<string>) {
    this.#options = options;
    this.#parts = parts;
    this.#files = files;
    if (options.watch === true) this.#watcher = new SourceWatcher(() => void this.reload());
    this.#watcher?.watch(files, { neighbours: false });
    const { clock = realClock, firesCrons = clock.virtual } = options;
    if (firesCrons) this.#crons = new CronTimers({ clock, fire: (cron, time) => this.#fire(cron, time) });
    this.#crons?.use(parts.workers.first.config.crons, options.cronsSince?.());
  }

  static async start(options: WorkerOptions): Promise<Worker> {
    const { log, clock } = options;
    await using resources = new AsyncDisposableStack();
    const files = new Set<string>();
    const builder = resources.use(new ProjectBuilder(options));
    const { loadMsMax } = options;
    const neighbours = resources.use(openNeighbours(options));
    const onError = (error: unknown): void => log.error(error);
    const workers = resources.use(new WorkerSet({ onError, clock, loadMsMax, neighbours }));
    const projects = options.built ?? (await builder.build(files));
    // Releases the bundler's memory, because there may be no further builds.
    if (options.watch !== true) await builder[Symbol.asyncDispose]();
    const plan = await loadLimited(workers, projects, options);
    await options.onLoaded?.(describeEntry(plan.workers[0]!.exports));
    const directory = options.directory ?? stateOf(projects[0]!.config);
    const consumer = new QueueConsumer((error) => log.error(error));
    const stores = resources.use(openStores(options));
    const objects = await waitForPredecessor(() =>
      openObjects(options, { projects, plan: ownBindings(plan, stores) }, { directory, consumer, workers }),
    );
    await adopt(plan, { workers, objects, consumer, stores, log });
    await neighbours?.listen(describeEntries(workers, objects));
    const place = { directory, name: options.operatorSocket ?? socketNames.operator };
    const door = await PrivateListener.start(
      place,
      answerOperators(options, directory, objects.runtime),
      (message) => log.warn(message),
    );
    resources.move();
    return new Worker(options, { builder, workers, objects, consumer, stores, neighbours, door }, files);
  }

  /** The objects, for inspection. */
  get runtime(): ObjectRuntime {
    return this.#parts.objects.runtime;
  }

  /** The directory of its project. */
  get home(): string {
    return homeOf(this.#parts.workers.first.config);
  }

  /** If an object is given, it answers instead of the Worker. */
  fetch(request: Request, object?: AskedObject): Response | Promise<Response> {
    if (this.#replacing !== undefined) return this.#replacing.then(() => this.fetch(request, object));
    const { workers } = this.#parts;
    return object === undefined ? workers.fetch(request) : workers.fetchObject(request, object);
  }

  /** Calls `scheduled()`; undefined if the Worker has none. */
  async scheduled(event: Pick<ScheduledController, 'cron' | 'scheduledTime'>): Promise<'ok' | undefined> {
    await this.#replacing;
    return await recordCall(
      () => event,
      () => this.#parts.workers.scheduled({ type: 'scheduled', ...event, noRetry() {} }),
    );
  }

  /** Calls `queue()` with messages of a queue of the account. */
  consume(
    queue: string,
    messages: readonly DeliveredMessage[],
    metrics: QueueMetrics,
  ): Promise<BatchOutcome> {
    return this.#parts.consumer.consume(queue, messages, metrics);
  }

  /** Calls `scheduled()` on this schedule from now on. */
  useCrons(crons: readonly string[]): void {
    this.#crons?.use(crons);
  }

  /** The time on the clock of the Worker and its objects. */
  now(): number {
    return (this.#options.clock ?? realClock).now();
  }

  /** Reloads the code and replaces the running version; if that fails, reports the error and changes nothing. */
  reload(): Promise<void> {
    if (this.#reloading !== undefined) this.#reloadAgain = true;
    this.#reloading ??= this.#reloadUntilCurrent().finally(() => (this.#reloading = undefined));
    return this.#reloading;
  }

  /**
   * Replaces the running version by one that was built elsewhere. Rejects, and changes nothing, if its code cannot be
   * loaded.
   */
  async replace(projects: readonly BuiltProject[]): Promise<void> {
    const { workers, objects, consumer, stores } = this.#parts;
    const version: LoadedProjects = { projects, plan: await workers.load(projects) };
    const replaced = Promise.withResolvers<void>();
    this.#replacing = replaced.promise;
    try {
      // Clients reconnect to the successor.
      void retireConnections({ graceMs: closeGraceMs });
      await objects.adopt({ projects, plan: ownBindings(version.plan, stores) });
      await adopt(version.plan, { workers, objects, consumer, stores, log: this.#options.log });
      this.#crons?.use(workers.first.config.crons);
    } finally {
      this.#replacing = undefined;
      replaced.resolve();
    }
  }

  /** Redirects other Workers' calls to its successor, and waits for calls in progress. */
  async retireNeighbours(options: { readonly graceMs: number }): Promise<void> {
    await this.#parts.neighbours?.retire(options);
  }

  async close(): Promise<void> {
    const { builder, workers, door, stores, neighbours } = this.#parts;
    this.#watcher?.[Symbol.dispose]();
    this.#crons?.[Symbol.dispose]();
    await this.#reloading;
    await workers.background.settled();
    await door?.close();
    await this.runtime.close();
    await builder[Symbol.asyncDispose]();
    workers[Symbol.dispose]();
    stores?.[Symbol.dispose]();
    neighbours?.[Symbol.dispose]();
  }

  #fire(cron: string, scheduledTime: number): void {
    this.#parts.workers.background.add(this.scheduled({ cron, scheduledTime }));
  }

  async #reloadUntilCurrent(): Promise<void> {
    do {
      this.#reloadAgain = false;
      await this.#reloadOnce();
    } while (this.#reloadAgain);
  }

  async #reloadOnce(): Promise<void> {
    const { log } = this.#options;
    const files = new Set<string>();
    const failure = await this.#rebuild(files).catch((error: unknown) => ({ error }));
    if (failure === undefined) {
      this.#files = files;
      this.#failure = undefined;
      log.info('reloaded');
    } else {
      const text = describeError(failure.error);
      if (text !== this.#failure) {
        log.error(failure.error);
        log.info('the code from before this change keeps running');
      }
      this.#failure = text;
      // The files loaded before the failure may contain the mistake: watch them as well.
      for (const file of files) this.#files.add(file);
    }
    this.#watcher?.watch(this.#files, { neighbours: failure !== undefined });
  }

  async #rebuild(files: Set<string>): Promise<undefined> {
    await this.replace(await this.#parts.builder.build(files));
  }
}

function openNeighbours({ neighbours, built, log }: WorkerOptions): Neighbours | undefined {
  const [project] = built ?? [];
  if (neighbours === undefined || project === undefined) return undefined;
  return new Neighbours({ name: project.config.name, ...neighbours, warn: (text) => log.warn(text) });
}

/** The parts of the first Worker that other Workers can call. */
function describeEntries(workers: WorkerSet, { runtime }: WorkerObjects): OwnEntries {
  const { classes } = workers.first.config;
  return {
    openService: (target) => workers.openService(target),
    openObject: (key, id, name) => {
      const found = [...classes].find(([, { uniqueKey }]) => uniqueKey === key);
      if (found === undefined || !(runtime instanceof Runtime))
        throw new Error(`the Worker "${workers.first.config.name}" no longer has the class of these objects`);
      return runtime.openEntry(new IdFactory(found[0], key).fromAddress(id, name));
    },
    keyOf: (className) => classes.get(className)?.uniqueKey,
    get callsOpen() {
      return workers.callsOpen;
    },
  };
}

function stateOf(config: BuiltProject['config']): string {
  return join(homeOf(config), '.gatehouse', 'state');
}

function homeOf({ directory, home = directory }: BuiltProject['config']): string {
  return home;
}

async function loadLimited(
  workers: WorkerSet,
  projects: readonly BuiltProject[],
  { limitLoad }: WorkerOptions,
): Promise<WorkerPlan> {
  using _limit = limitLoad?.();
  return await workers.load(projects);
}

/** Switches to code whose classes the objects already have. */
async function adopt(
  plan: WorkerPlan,
  {
    workers,
    objects,
    consumer,
    stores,
    log,
  }: Omit<OpenedParts, 'builder' | 'door' | 'neighbours'> & { readonly log: WorkerLog },
): Promise<void> {
  for (const warning of plan.warnings) log.warn(warning);
  const namespaceOf = (className: string): DurableObjectNamespace =>
    (stores?.has(className) === true ? stores : objects.runtime).namespace(className);
  workers.adopt(plan, namespaceOf);
  // Not earlier: overdue alarms of queues have fired by now, and wait for it.
  consumer.use((batch) =>
    Promise.resolve(
      recordCall(
        () => ({ queue: batch.queue, batchSize: batch.messages.length }),
        () => workers.consume(batch, (error) => log.error(error)),
      ),
    ),
  );
  await useBindings(plan.declared, stores, namespaceOf).catch((error: unknown) => log.error(error));
}

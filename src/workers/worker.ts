/**
 * A Worker that is running: its module, its objects, and the change from one version of its code to the next.
 *
 * Promises:
 * - a version that cannot be loaded (syntax, configuration, a missing class) never replaces one that runs;
 * - when a version is replaced, its objects are reset, and those of its successor find their storage and
 *   their alarms as they were; requests that arrive meanwhile wait for the successor;
 * - one change at a time: a reload that is asked for during a reload runs after it, once.
 */
import { join } from 'node:path';
import { QueueConsumer, startBindings } from '#bindings';
import { MaintenanceListener } from '#maintenance';
import { type DurableObjectNamespace, runAtClock, type ObjectRuntime } from '#objects';
import { retireConnections } from '#sockets';
import { BackgroundWork } from './background.ts';
import {
  type EntryHandler,
  entryHandler,
  ExecutionContext,
  type QueueHandler,
  queueHandler,
} from './entry.ts';
import { describeError } from './errors/describe-error.ts';
import { forgetFiles } from './modules/module-loader.ts';
import { closeGraceMs } from './limits.ts';
import type { WorkerOptions } from './options.ts';
import { makePlan, type Plan } from './plan.ts';
import { platform, usePlatform } from './platform.ts';
import { SourceWatcher } from './source-watcher.ts';
import { openObjects, type WorkerObjects } from './worker-objects.ts';

export class Worker {
  readonly #options: WorkerOptions;
  readonly #objects: WorkerObjects;
  readonly #consumer: QueueConsumer;
  readonly #background: BackgroundWork;
  readonly #watcher: SourceWatcher | undefined;
  #files: Set<string>;
  #handler!: EntryHandler;
  #maintenance: MaintenanceListener | undefined;
  /** Present while one version is being replaced by the next. */
  #replacing: Promise<void> | undefined;
  #reloading: Promise<void> | undefined;
  #reloadAgain = false;
  /** Why the newest code does not run: said once, however often it is tried again. */
  #failure: string | undefined;

  private constructor(
    options: WorkerOptions,
    { objects, consumer }: { readonly objects: WorkerObjects; readonly consumer: QueueConsumer },
    files: Set<string>,
  ) {
    this.#options = options;
    this.#objects = objects;
    this.#consumer = consumer;
    this.#files = files;
    this.#background = new BackgroundWork((error) => options.log.error(error));
    if (options.watch === true) this.#watcher = new SourceWatcher(() => void this.reload());
    this.#watcher?.watch(files, { neighbours: false });
  }

  static async start(options: WorkerOptions): Promise<Worker> {
    const { log } = options;
    const files = new Set<string>();
    const plan = await makePlan(options, files);
    await options.onLoaded?.();
    const directory = options.directory ?? join(plan.config.directory, '.gatehouse', 'state');
    const consumer = new QueueConsumer((error) => log.error(error));
    const objects = await openObjects(options, plan, { directory, consumer });
    const worker = new Worker(options, { objects, consumer }, files);
    await worker.#adopt(plan);
    worker.#maintenance = await MaintenanceListener.start({
      directory,
      runtime: objects.runtime,
      log: (message, error) => log.warn(`${message}: ${String(error)}`),
    });
    return worker;
  }

  /** The objects, for those who look into them. */
  get runtime(): ObjectRuntime {
    return this.#objects.runtime;
  }

  fetch(request: Request): Response | Promise<Response> {
    return this.#replacing === undefined ? this.#answer(request) : this.#answerLater(request);
  }

  /** Loads the code anew and puts it in the place of what runs; reports, and changes nothing, if it cannot. */
  reload(): Promise<void> {
    if (this.#reloading !== undefined) this.#reloadAgain = true;
    this.#reloading ??= this.#reloadUntilCurrent().finally(() => (this.#reloading = undefined));
    return this.#reloading;
  }

  async close(): Promise<void> {
    this.#watcher?.[Symbol.dispose]();
    await this.#reloading;
    await this.#background.settled();
    await this.#maintenance?.close();
    await this.runtime.close();
  }

  #answer(request: Request): Response | Promise<Response> {
    const context = new ExecutionContext(this.#background, platform.exports);
    const { clock } = this.#options;
    if (clock?.virtual !== true) return this.#handler(request, platform.env, context);
    return runAtClock(clock, () => this.#handler(request, platform.env, context));
  }

  async #answerLater(request: Request): Promise<Response> {
    await this.#replacing;
    return this.#answer(request);
  }

  async #adopt(plan: Plan): Promise<void> {
    for (const warning of plan.warnings) this.#options.log.warn(warning);
    const namespaceOf = (className: string): DurableObjectNamespace => this.runtime.namespace(className);
    usePlatform(plan, namespaceOf, this.#background);
    this.#handler = entryHandler(plan.defaultExport);
    this.#consume(queueHandler(plan.defaultExport));
    await startBindings(plan.config.declared, namespaceOf).catch((error: unknown) =>
      this.#options.log.error(error),
    );
  }

  #consume(handle: QueueHandler): void {
    const { clock, log } = this.#options;
    this.#consumer.use(async (batch) => {
      // A batch is done when what its handler has left running is done.
      const own = new BackgroundWork((error) => log.error(error));
      const context = new ExecutionContext(own, platform.exports);
      const run = (): Promise<void> => handle(batch, platform.env, context);
      await (clock?.virtual === true ? runAtClock(clock, run) : run());
      await own.settled();
    });
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
    const failure = await this.#replaceBy(files).catch((error: unknown) => ({ error }));
    if (failure === undefined) {
      forgetFiles(this.#files);
      this.#files = files;
      this.#failure = undefined;
      log.info('reloaded');
    } else {
      const text = describeError(failure.error);
      if (text !== this.#failure) {
        log.error(failure.error);
        log.info('the code before this change goes on running');
      }
      this.#failure = text;
      // What was loaded before it failed may hold the mistake: watch it as well.
      for (const file of files) this.#files.add(file);
      forgetFiles(files);
    }
    this.#watcher?.watch(this.#files, { neighbours: failure !== undefined });
  }

  async #replaceBy(files: Set<string>): Promise<undefined> {
    const plan = await makePlan(this.#options, files);
    const replaced = Promise.withResolvers<void>();
    this.#replacing = replaced.promise;
    try {
      // Clients come back and find the successor.
      void retireConnections({ graceMs: closeGraceMs });
      await this.#objects.adopt(plan);
      await this.#adopt(plan);
    } finally {
      this.#replacing = undefined;
      replaced.resolve();
    }
  }
}

/**
 * A Worker that is running: its module, its objects, and the change from one version of its code to the next.
 *
 * Promises:
 * - a version that cannot be loaded (syntax, configuration, a missing class) never replaces one that runs;
 * - when a version is replaced, its objects are reset and its successor's objects find their storage and
 *   their alarms as they were; requests that arrive meanwhile wait for the successor;
 * - one change at a time: a reload that is asked for during a reload runs after it, once.
 */
import { Deployment } from './deployment.ts';
import { forgetFiles } from './module-loader.ts';
import type { WorkerOptions } from './options.ts';
import { makePlan } from './plan.ts';
import { SourceWatcher } from './source-watcher.ts';

export class Worker {
  readonly #options: WorkerOptions;
  readonly #watcher: SourceWatcher | undefined;
  #files: Set<string>;
  /** A promise only while one version is being replaced by the next. */
  #deployment: Deployment | Promise<Deployment>;
  #reloading: Promise<void> | undefined;
  #reloadAgain = false;

  private constructor(options: WorkerOptions, deployment: Deployment, files: Set<string>) {
    this.#options = options;
    this.#deployment = deployment;
    this.#files = files;
    if (options.watch === true) this.#watcher = new SourceWatcher(() => void this.reload());
    this.#watcher?.watch(files, { neighbours: false });
  }

  static async start(options: WorkerOptions): Promise<Worker> {
    const files = new Set<string>();
    const plan = await makePlan(options, files);
    for (const warning of plan.warnings) options.log.warn(warning);
    return new Worker(options, await Deployment.open(plan, options), files);
  }

  fetch(request: Request): Response | Promise<Response> {
    const deployment = this.#deployment;
    return deployment instanceof Deployment
      ? deployment.fetch(request)
      : deployment.then((next) => next.fetch(request));
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
    await (await this.#deployment).close();
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
    let failed = false;
    try {
      const plan = await makePlan(this.#options, files);
      for (const warning of plan.warnings) log.warn(warning);
      const current = await this.#deployment;
      const replacing = current.replace(plan);
      this.#deployment = replacing;
      this.#deployment = await replacing;
      forgetFiles(this.#files);
      this.#files = files;
      log.info('reloaded');
    } catch (error) {
      failed = true;
      log.error(error);
      log.info('the code before this change goes on running');
      // What was loaded before it failed may hold the mistake: watch it as well.
      for (const file of files) this.#files.add(file);
      forgetFiles(files);
    }
    this.#watcher?.watch(this.#files, { neighbours: failed });
  }
}

/** The thread of the next test file, created while one runs; the first one is created while Vitest starts. */
import type { PoolOptions, TestProject } from 'vitest/node';
import type { Runs } from './runs.ts';
import { FileThread } from './file-thread.ts';
import { foreseeOptions, type ThreadOptions } from './thread-options.ts';

/** Only one of several projects has the first file. */
const startedEarly = new WeakSet<TestProject['vitest']>();

export class SpareThread {
  readonly #runs: Runs;
  #spare: FileThread | undefined;
  #isWatchingClose = false;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  /** Creates the first one before Vitest requests it. */
  prepareFirst(project: TestProject): void {
    if (startedEarly.has(project.vitest)) return;
    startedEarly.add(project.vitest);
    this.#make(foreseeOptions(project), project);
  }

  /** Returns the spare one if it suits, otherwise a new one. */
  take(options: PoolOptions): FileThread {
    const spare = this.#spare;
    if (spare?.suits(options) !== true) {
      void this.drop();
      return new FileThread(options);
    }
    this.#spare = undefined;
    spare.worker.ref();
    return spare;
  }

  /** Creates one, if more files follow. */
  prepare(options: PoolOptions): void {
    const { vitest, config } = options.project;
    if (this.#spare !== undefined || !config.isolate) return;
    if (this.#runs.begun >= vitest.state.getPaths().length) return;
    this.#make(options, options.project);
  }

  #make(options: ThreadOptions, { vitest }: TestProject): void {
    this.#spare = new FileThread(options);
    this.#spare.worker.unref();
    if (this.#isWatchingClose) return;
    this.#isWatchingClose = true;
    vitest.onClose(() => this.drop());
  }

  async drop(): Promise<void> {
    const spare = this.#spare;
    this.#spare = undefined;
    await spare?.worker.terminate();
  }
}

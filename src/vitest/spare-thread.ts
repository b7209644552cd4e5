/** The thread of the next test file, made while one runs. */
import type { PoolOptions } from 'vitest/node';
import type { Runs } from './runs.ts';
import { TestThread } from './test-thread.ts';

export class SpareThread {
  readonly #runs: Runs;
  #spare: TestThread | undefined;
  #isWatchingClose = false;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  /** The spare one, or another. */
  take(options: PoolOptions): TestThread {
    const spare = this.#spare;
    if (spare?.suits(options) !== true) return new TestThread(options);
    this.#spare = undefined;
    spare.worker.ref();
    return spare;
  }

  /** Makes one, if there are more files to come. */
  prepare(options: PoolOptions): void {
    const { vitest, config } = options.project;
    if (this.#spare !== undefined || !config.isolate) return;
    if (this.#runs.begun >= vitest.state.getPaths().length) return;
    this.#spare = new TestThread(options);
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

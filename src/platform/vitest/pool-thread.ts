/** A thread that runs a test file, with a watchdog: code that never yields is terminated and reported. */
import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node';
import type { Pulse } from './pulse.ts';
import type { Runs } from './runs.ts';
import type { SpareThread } from './spare-thread.ts';

/** Added to twice the timeout of a test. */
const hangMsMin = 5_000;
const lookMs = 500;

type PoolListener = (value: unknown) => void;

export class PoolThread implements PoolWorker {
  readonly name = 'gatehouse';
  readonly #options: PoolOptions;
  readonly #runs: Runs;
  readonly #spare: SpareThread;
  readonly #events = new EventEmitter();
  #thread: Worker | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions, runs: Runs, spare: SpareThread) {
    this.#options = options;
    this.#runs = runs;
    this.#spare = spare;
  }

  on(event: string, callback: PoolListener): void {
    this.#events.on(event, callback);
  }

  off(event: string, callback: PoolListener): void {
    this.#events.off(event, callback);
  }

  send(message: WorkerRequest): void {
    this.#thread?.postMessage(message);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  async start(): Promise<void> {
    if (this.#thread !== undefined) return;
    const { project } = this.#options;
    const { outputStream, errorStream } = project.vitest.logger;
    const made = this.#spare.take(this.#options);
    const { worker: thread, pulse } = made;
    try {
      made.begin(await this.#runs.enter(project));
    } catch (error) {
      await thread.terminate();
      await this.#leave();
      throw error;
    }
    thread.stdout.on('data', (chunk: Buffer) => void outputStream.write(chunk));
    thread.stderr.on('data', (chunk: Buffer) => void errorStream.write(chunk));
    for (const event of ['message', 'error', 'exit'])
      thread.on(event, (value: unknown) => void this.#events.emit(event, value));
    // From now on it needs a core less.
    thread.once('message', () => this.#spare.prepare(this.#options));
    this.#thread = thread;
    this.#watchOver(thread, pulse, hangMsMin + 2 * project.config.testTimeout);
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    const thread = this.#thread;
    this.#thread = undefined;
    if (thread === undefined) return;
    await thread.terminate();
    await this.#leave();
  }

  async #leave(): Promise<void> {
    if (await this.#runs.leave()) await this.#spare.drop();
  }

  #watchOver(thread: Worker, pulse: Pulse, hangMs: number): void {
    let seen = pulse.beats;
    let since = Date.now();
    this.#watch = setInterval(() => {
      if (pulse.beats !== seen || !pulse.isWatched) {
        seen = pulse.beats;
        since = Date.now();
      } else if (Date.now() - since > hangMs) {
        clearInterval(this.#watch);
        const place = pulse.testName === '' ? 'while a module was loaded' : `in the test "${pulse.testName}"`;
        this.#events.emit(
          'error',
          new Error(
            `code has not yielded for ${Math.round(hangMs / 1000)} s, ${place}: a loop may never end. The thread of the test file was ended`,
          ),
        );
        void thread.terminate();
      }
    }, lookMs);
    this.#watch.unref();
  }
}

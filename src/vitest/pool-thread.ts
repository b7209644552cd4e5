/** A thread that runs a test file, with a watch over it: code that never yields is ended and reported. */
import { EventEmitter } from 'node:events';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node';
import type { Runs } from './runs.ts';
import { Pulse } from './pulse.ts';

const entry = new URL(`./thread/main${extname(import.meta.url)}`, import.meta.url);
/** Beside twice the time that one test may take. */
const hangMsMin = 5_000;
const lookMs = 500;

type Listener = (value: unknown) => void;

export class PoolThread implements PoolWorker {
  readonly name = 'gatehouse';
  readonly #options: PoolOptions;
  readonly #runs: Runs;
  readonly #events = new EventEmitter();
  #thread: Worker | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions, runs: Runs) {
    this.#options = options;
    this.#runs = runs;
  }

  on(event: string, callback: Listener): void {
    this.#events.on(event, callback);
  }

  off(event: string, callback: Listener): void {
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
    const { project, distPath, env, execArgv } = this.#options;
    const { outputStream, errorStream } = project.vitest.logger;
    let data;
    try {
      data = await this.#runs.enter(project);
    } catch (error) {
      await this.#runs.leave();
      throw error;
    }
    const pulse = Pulse.create();
    const vitestWorker = pathToFileURL(join(distPath, 'worker.js')).href;
    const thread = new Worker(entry, {
      workerData: { ...data, vitestWorker, pulse: pulse.memory },
      env: env as NodeJS.Dict<string>,
      execArgv,
      stdout: true,
      stderr: true,
    });
    thread.stdout.on('data', (chunk: Buffer) => void outputStream.write(chunk));
    thread.stderr.on('data', (chunk: Buffer) => void errorStream.write(chunk));
    for (const event of ['message', 'error', 'exit'])
      thread.on(event, (value: unknown) => void this.#events.emit(event, value));
    this.#thread = thread;
    this.#watchOver(thread, pulse, hangMsMin + 2 * project.config.testTimeout);
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    const thread = this.#thread;
    this.#thread = undefined;
    if (thread === undefined) return;
    await thread.terminate();
    await this.#runs.leave();
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

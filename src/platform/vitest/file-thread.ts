/**
 * A thread for a test file. It immediately loads what every file needs, which is most of the start-up time of a file,
 * and then waits for its project: so the next thread can be created while a file runs.
 */
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { Pulse } from './pulse.ts';
import type { ThreadSetup } from './runs.ts';
import { isSame, type ThreadOptions } from './thread-options.ts';

const entry = new URL(`./thread/main${extname(import.meta.url)}`, import.meta.url);

/** The data that a thread is created with. */
export interface ThreadData {
  /** The path of Vitest's worker: that of the project, not of another copy that this package might resolve. */
  readonly vitestWorker: string;
  readonly pulse: SharedArrayBuffer;
  /** Receives a `ThreadSetup`. */
  readonly setupPort: MessagePort;
}

export class FileThread {
  readonly worker: Worker;
  readonly pulse = Pulse.create();
  readonly #options: ThreadOptions;
  readonly #setupPort: MessagePort;
  #hasEnded = false;

  constructor(options: ThreadOptions) {
    const { distPath, env, execArgv } = options;
    const { port1, port2 } = new MessageChannel();
    const workerData: ThreadData = {
      vitestWorker: pathToFileURL(join(distPath, 'worker.js')).href,
      pulse: this.pulse.memory,
      setupPort: port2,
    };
    this.#options = options;
    this.#setupPort = port1;
    this.worker = new Worker(entry, {
      workerData,
      transferList: [port2],
      env: env as NodeJS.Dict<string>,
      execArgv,
      stdout: true,
      stderr: true,
    });
    // The thread's user listens as well; a spare thread that ends is replaced.
    const end = (): void => void (this.#hasEnded = true);
    this.worker.on('error', end).on('exit', end);
  }

  /** Whether it can run a file that needs such a thread. */
  suits(options: ThreadOptions): boolean {
    return !this.#hasEnded && isSame(this.#options, options);
  }

  begin(setup: ThreadSetup): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node
    this.#setupPort.postMessage(setup);
    this.#setupPort.close();
  }
}

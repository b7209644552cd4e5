/**
 * A thread for a test file. It loads what every file needs as soon as it exists, which takes most of the start of a file,
 * and waits until it is told which project it is for: so the next one can be made while a file runs.
 */
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { Pulse } from './pulse.ts';
import type { ThreadSetup } from './runs.ts';
import { isSame, type ThreadOptions } from './thread-options.ts';

const entry = new URL(`./thread/main${extname(import.meta.url)}`, import.meta.url);

/** What a thread is made with. */
export interface ThreadData {
  /** Where Vitest's worker is: that of the project, whichever copy this package would find. */
  readonly vitestWorker: string;
  readonly pulse: SharedArrayBuffer;
  /** A `ThreadSetup` comes here. */
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
    // Somebody who uses it listens as well; a spare one that ends is replaced.
    const end = (): void => void (this.#hasEnded = true);
    this.worker.on('error', end).on('exit', end);
  }

  /** Whether it can run a file that needs a thread like this. */
  suits(options: ThreadOptions): boolean {
    return !this.#hasEnded && isSame(this.#options, options);
  }

  begin(setup: ThreadSetup): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node
    this.#setupPort.postMessage(setup);
    this.#setupPort.close();
  }
}

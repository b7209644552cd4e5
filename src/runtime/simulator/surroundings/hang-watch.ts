/**
 * Watches for code that never yields, which its own thread cannot stop: another thread reports the object and the seed,
 * and kills the process.
 */
import { extname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { startThread } from '#base';
import { workNotes } from '#work';

/** Longer than any regular step of a simulation takes, even on a busy machine. */
const hangMsDefault = 10_000;

export interface HangThreadData {
  readonly words: SharedArrayBuffer;
  readonly notes: typeof workNotes;
  readonly hangMs: number;
}

export class HangWatch {
  readonly #buffer = new SharedArrayBuffer(8);
  readonly #words = new Int32Array(this.#buffer);
  readonly #thread: Worker;

  constructor(hangMs = hangMsDefault) {
    const file = new URL(`./hang-thread${extname(import.meta.url)}`, import.meta.url);
    const workerData: HangThreadData = {
      words: this.#buffer,
      notes: workNotes,
      hangMs,
    };
    this.#thread = startThread(file, { workerData });
    this.#thread.unref();
  }

  begin(seed: number): void {
    this.#words[1] = seed;
  }

  readonly onStep = (): void => {
    Atomics.add(this.#words, 0, 1);
  };

  [Symbol.dispose](): void {
    void this.#thread.terminate();
  }
}

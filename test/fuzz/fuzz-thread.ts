/** Fuzzes one parser in a thread, which the main thread can watch and terminate: a hanging parser sends no messages. */
import { parentPort, workerData } from 'node:worker_threads';
import { fuzz } from './fuzzer.ts';
import { findReader } from './readers.ts';

export interface FuzzThreadData {
  readonly reader: string;
  readonly seed: number;
  readonly minutes: number;
  /** Ends the run earlier. */
  readonly inputsMax: number;
  /** The number of inputs tried, and the length of the current one. */
  readonly progress: Int32Array;
  readonly current: Uint8Array;
}

const { reader, seed, minutes, inputsMax, progress, current } = workerData as FuzzThreadData;
const endMs = performance.now() + minutes * 60_000;
const result = await fuzz(findReader(reader), {
  seed,
  isGuided: true,
  isOver: (inputs) => inputs >= inputsMax || performance.now() > endMs,
  onInput(input) {
    current.set(input);
    Atomics.store(progress, 1, input.length);
    Atomics.add(progress, 0, 1);
  },
});
const { find, ...counts } = result;
const told = find && { input: find.input, error: String((find.error as Error).stack ?? find.error) };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort!.postMessage({ ...counts, find: told });

/** Cuts long work into slices, so that the event loop can run in between. */
import { setImmediate } from 'node:timers/promises';
import { sliceMs } from './limits.ts';

// Captured before any runtime replaces the clocks that code inside objects sees.
const now = performance.now.bind(performance);

/** Reading the clock costs as much as a small row. */
const stepsPerLook = 16;

export class Pacer {
  #sliceStart = now();
  #steps = 0;

  /** Counts one small step of work. When it returns true, `rest` must be called. */
  step(): boolean {
    this.#steps += 1;
    return this.#steps % stepsPerLook === 0 && now() - this.#sliceStart >= sliceMs;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#sliceStart = now();
  }
}

/**
 * Macrotasks for simulated time, many in one turn of Node's loop, each with all the microtasks that follow from it. Lives
 * share them: what one has asked for and does not need is there for the next.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';

/** So many are asked for at once: they run in one turn of Node's loop. */
const turnsAtOnce = 64;

export class Turns {
  /** Nothing that a step does belongs to whoever asked for it. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #left = 0;
  #step: (() => void) | undefined;

  /** From now on, every turn is a step of this. */
  use(step: (() => void) | undefined): void {
    this.#step = step;
    if (step !== undefined && this.#left === 0) this.#ask();
  }

  #ask(): void {
    this.#left = turnsAtOnce;
    this.#apart(() => {
      for (let index = 0; index < turnsAtOnce; index++) setImmediate(this.#take);
    });
  }

  readonly #take = (): void => {
    this.#left--;
    this.#step?.();
    if (this.#step !== undefined && this.#left === 0) this.#ask();
  };
}

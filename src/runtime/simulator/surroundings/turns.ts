/**
 * Macrotasks for simulated time, many in one turn of Node's loop, each with all the microtasks that follow from it. They are
 * asked for again whenever a life begins or goes on: what passes through the loop itself meets the same step in every run,
 * whichever lives came before.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';

/** So many are asked for at once: they run in one turn of Node's loop. */
const turnsAtOnce = 64;

export class Turns {
  /** Nothing that a step does belongs to whoever asked for it. */
  readonly #apart = AsyncLocalStorage.snapshot();
  /** Those that were asked for before do nothing any more. */
  #generation = 0;
  #step: (() => void) | undefined;

  /** From now on, every turn is a step of this. */
  begin(step: () => void): void {
    this.#step = step;
    this.#apart(() => this.#ask());
  }

  end(): void {
    this.#step = undefined;
    this.#generation++;
  }

  #ask(): void {
    const generation = ++this.#generation;
    let left = turnsAtOnce;
    const take = (): void => {
      if (generation !== this.#generation) return;
      left--;
      this.#step?.();
      if (left === 0 && generation === this.#generation) this.#ask();
    };
    for (let index = 0; index < turnsAtOnce; index++) setImmediate(take);
  }
}

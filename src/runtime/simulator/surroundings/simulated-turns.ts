/**
 * Macrotasks for simulated time, many in one turn of Node's loop, each with all the microtasks that follow from it.
 * They are requested again whenever a life begins or continues: work that passes through the loop itself meets the same
 * step in every run, whichever lives came before.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';

/** The number requested at once: they run in one turn of Node's loop. */
const turnsAtOnce = 64;

export class SimulatedTurns {
  /** Runs steps outside the context of the code that requested them. */
  readonly #apart = AsyncLocalStorage.snapshot();
  /** Turns that were requested earlier have no effect any more. */
  #generation = 0;
  #step: (() => void) | undefined;

  /** From now on, every turn runs this step. */
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

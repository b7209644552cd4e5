/** The deadline of a client that must act. While it runs, the slot of the client can be evicted for a newcomer. */
import type { Watch } from '../watchdog.ts';
import type { Slot } from './slot.ts';

export class SlotWatch implements Watch {
  readonly #watch: Watch;
  readonly #slot: Slot;

  constructor(watch: Watch, slot: Slot) {
    this.#watch = watch;
    this.#slot = slot;
  }

  within(ms: number): void {
    this.#watch.within(ms);
    this.#slot.wait();
  }

  pause(): void {
    this.#watch.pause();
    this.#slot.proceed();
  }

  end(): void {
    this.#watch.end();
    this.#slot.proceed();
  }
}

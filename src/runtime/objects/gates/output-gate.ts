import type { Fence } from '../persistence/fence.ts';

/**
 * An output gate holds back all output of an object while a write it has already accepted is not yet durable. If the
 * write fails the output is dropped, so no caller ever sees the acknowledgement of a lost write.
 *
 * Writes of one object become durable in order: output that waits for the newest write before it has waited for all
 * earlier ones, and never waits for a later one.
 *
 * With a fence, output also waits while this process may no longer own the object, however old its writes are: the
 * result of a read that leaves late could be of a state that other processes have changed since.
 */
export class OutputGate {
  readonly #onWait: (() => void) | undefined;
  readonly #fence: Fence | undefined;
  #newest: Promise<void> | undefined;
  #broken: Error | undefined;

  /** `onWait` is called whenever output must wait. */
  constructor(onWait?: () => void, fence?: Fence) {
    this.#onWait = onWait;
    this.#fence = fence;
  }

  /** Holds later output until `durable` resolves. */
  hold(durable: Promise<void>): void {
    if (this.#newest === durable) return;
    this.#newest = durable;
    const open = (): void => {
      if (this.#newest === durable) this.#newest = undefined;
    };
    // The waiters get the failure; here it must only not count as unhandled.
    durable.then(open, () => {});
  }

  /** Undefined when output may leave at once, which is the common case and costs nothing. */
  wait(): Promise<void> | undefined {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    if (this.#newest === undefined) return this.#fence?.holds === false ? this.#fence.regained() : undefined;
    this.#onWait?.();
    return this.#fence === undefined ? this.#newest : this.#newest.then(this.#passFence);
  }

  readonly #passFence = (): Promise<void> | undefined =>
    this.#fence!.holds ? undefined : this.#fence!.regained();

  /** Drops all output still held. */
  break(cause: Error): void {
    this.#broken ??= cause;
  }
}

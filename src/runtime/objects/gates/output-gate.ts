import type { Fence } from '../persistence/fence.ts';

/**
 * An output gate holds back everything an object says to the world while a write it has already
 * accepted is still on its way to disk. If the write fails the words are dropped, so no caller ever
 * sees a promise that was not kept.
 *
 * Writes of one object reach the disk in order: a caller that waits for the newest write before its words
 * has waited for all of them, and never for a later one.
 *
 * With a fence, words also wait while this process may not be the one that answers, however long ago they were
 * written: a read that leaves late would be of a state that others have changed since.
 */
export class OutputGate {
  readonly #onWait: (() => void) | undefined;
  readonly #fence: Fence | undefined;
  #newest: Promise<void> | undefined;
  #broken: Error | undefined;

  /** `onWait` is called whenever words have to wait. */
  constructor(onWait?: () => void, fence?: Fence) {
    this.#onWait = onWait;
    this.#fence = fence;
  }

  /** Holds later words until `durable` resolves. */
  hold(durable: Promise<void>): void {
    if (this.#newest === durable) return;
    this.#newest = durable;
    const open = (): void => {
      if (this.#newest === durable) this.#newest = undefined;
    };
    // A failure reaches the waiters; here it must only not count as unhandled.
    durable.then(open, () => {});
  }

  /** Undefined when words may leave at once, which is the common case and costs nothing. */
  wait(): Promise<void> | undefined {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    if (this.#newest === undefined) return this.#fence?.holds === false ? this.#fence.regained() : undefined;
    this.#onWait?.();
    return this.#fence === undefined ? this.#newest : this.#newest.then(this.#passFence);
  }

  readonly #passFence = (): Promise<void> | undefined =>
    this.#fence!.holds ? undefined : this.#fence!.regained();

  /** Drops every word not yet said. */
  break(cause: Error): void {
    this.#broken ??= cause;
  }
}

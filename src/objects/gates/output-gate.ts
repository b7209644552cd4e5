/**
 * An output gate holds back everything an object says to the world while a write it has already
 * accepted is still on its way to disk. If the write fails the words are dropped, so nobody ever
 * sees a promise that was not kept.
 *
 * Writes of one object reach the disk in order: whoever waits for the newest write before his words
 * has waited for all of them, and never for a later one.
 */
export class OutputGate {
  readonly #onWait: (() => void) | undefined;
  #newest: Promise<void> | undefined;
  #broken: Error | undefined;

  /** `onWait` is called whenever words have to wait. */
  constructor(onWait?: () => void) {
    this.#onWait = onWait;
  }

  /** Holds later words until `durable` resolves. */
  hold(durable: Promise<void>): void {
    if (this.#newest === durable) return;
    this.#newest = durable;
    const open = (): void => {
      if (this.#newest === durable) this.#newest = undefined;
    };
    // A failure reaches whoever waits; here it must only not count as unhandled.
    durable.then(open, () => {});
  }

  /** Undefined when words may leave at once, which is the common case and costs nothing. */
  wait(): Promise<void> | undefined {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    if (this.#newest !== undefined) this.#onWait?.();
    return this.#newest;
  }

  /** Drops every word not yet said. */
  break(cause: Error): void {
    this.#broken ??= cause;
  }
}

/** Work that outlives its answer (`ctx.waitUntil`): failures are reported, closing waits for the rest. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(promise: unknown): void {
    const tracked = Promise.resolve(promise)
      .catch(this.#onError)
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  /** Reports an error without a promise. */
  report(error: unknown): void {
    this.#onError(error);
  }

  /** Resolves when no work is running, including later additions. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

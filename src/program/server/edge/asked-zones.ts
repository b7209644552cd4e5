/**
 * The zones whose configurations requests wait for. A request waits until a configuration has arrived, or none is
 * available for now, but not forever.
 */

/** Loading takes a few milliseconds; a control plane that needs this long is not answering. */
const waitMsMax = 5_000;

export class AskedZones {
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();
  #listener: ((zoneId: string) => void) | undefined;

  has(zoneId: string): boolean {
    return this.#waiting.has(zoneId);
  }

  /** Resolves when `answer` is called for the zone, or after a while. */
  ask(zoneId: string): Promise<void> {
    const present = this.#waiting.get(zoneId);
    if (present !== undefined) return present.promise;
    const waiting = Promise.withResolvers<void>();
    this.#waiting.set(zoneId, waiting);
    const timer = setTimeout(() => this.answer(zoneId), waitMsMax);
    void waiting.promise.then(() => clearTimeout(timer));
    this.#listener?.(zoneId);
    return waiting.promise;
  }

  answer(zoneId: string): void {
    this.#waiting.get(zoneId)?.resolve();
    this.#waiting.delete(zoneId);
  }

  /** Calls the listener with each zone that is requested from now on; there is one listener at a time. */
  listen(listener: (zoneId: string) => void): () => void {
    this.#listener = listener;
    return () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
  }
}

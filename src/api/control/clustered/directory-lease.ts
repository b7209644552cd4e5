/**
 * A lease on this host's directory: how long it may be used without asking the account again. It starts before the
 * request was sent, by a clock that continues while the process is stopped. So a host that misses a write, because it
 * was stopped or cut off, does not continue with stale facts.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SteadyClock } from './control-cluster.ts';
import { directoryUseMs } from './limits.ts';

export class DirectoryLease {
  readonly #clock: SteadyClock;
  readonly #refresh: () => Promise<void>;
  #until = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** An object may wait for a refresh, but the refresh runs outside its async context. */
  readonly #apart = AsyncLocalStorage.snapshot();

  constructor(clock: SteadyClock, refresh: () => Promise<void>) {
    this.#clock = clock;
    this.#refresh = refresh;
  }

  get holds(): boolean {
    return this.#clock.now() < this.#until;
  }

  /** Undefined if the directory may be used; otherwise resolves when it may. */
  ensure(): Promise<void> | undefined {
    return this.holds ? undefined : this.renew();
  }

  /** Resolves when the directory has every write that preceded the call. */
  renew(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#start();
    // The answer to the current request may precede the call.
    const start = (): Promise<void> => {
      this.#next = undefined;
      return this.#start();
    };
    this.#next = this.#running.then(start, start);
    return this.#next;
  }

  #start(): Promise<void> {
    const askedAt = this.#clock.now();
    const running = this.#apart(this.#refresh)
      .then(() => {
        this.#until = askedAt + directoryUseMs;
      })
      .finally(() => {
        this.#running = undefined;
      });
    this.#running = running;
    return running;
  }
}

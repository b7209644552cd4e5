/**
 * Whether this process is still the one that may answer for its objects. A process that was stopped for a while finds out
 * here that others have gone on without it, before it says anything.
 */
export interface Fence {
  /** Whether answers may leave now. */
  readonly holds: boolean;
  /**
   * Resolves when they may; never, if the objects of this process are somebody else's by now and are being reset. Rejects if
   * it takes too long to find out.
   */
  regained(): Promise<void>;
}

/** The same fence, and `onFailed` is told when it could not be found out whether answers may leave. */
export function watchFence(fence: Fence, onFailed: (error: unknown) => void): Fence {
  return new WatchedFence(fence, onFailed);
}

/** A class: V8 keeps what the getter of a literal holds until all memory is looked through. */
class WatchedFence implements Fence {
  readonly #fence: Fence;
  readonly #onFailed: (error: unknown) => void;

  constructor(fence: Fence, onFailed: (error: unknown) => void) {
    this.#fence = fence;
    this.#onFailed = onFailed;
  }

  get holds(): boolean {
    return this.#fence.holds;
  }

  regained(): Promise<void> {
    const regained = this.#fence.regained();
    regained.catch(this.#onFailed);
    return regained;
  }
}

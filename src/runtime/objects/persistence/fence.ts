/**
 * Whether this process may still answer for its objects. A process that was stopped for a while finds out here, before
 * it sends any output, that other processes have taken over.
 */
export interface Fence {
  /** Whether answers may leave now. */
  readonly holds: boolean;
  /**
   * Resolves when they may; never, if other processes have taken over the objects, which are then being reset. Rejects
   * if it takes too long to find out.
   */
  regained(): Promise<void>;
}

/** The same fence, which calls `onFailed` when it cannot find out whether answers may leave. */
export function watchFence(fence: Fence, onFailed: (error: unknown) => void): Fence {
  return new WatchedFence(fence, onFailed);
}

/** A class, because V8 keeps the values that a literal's getter captures until a full garbage collection. */
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

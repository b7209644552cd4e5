/**
 * Whether this process is still the one that may answer for its objects. A process that was stopped for a while finds out
 * here that others have gone on without it, before it says anything.
 */
export interface Fence {
  /** Whether answers may leave now. */
  readonly holds: boolean;
  /** Resolves when they may; never, if the objects of this process are somebody else's by now and are being reset. */
  regained(): Promise<void>;
}

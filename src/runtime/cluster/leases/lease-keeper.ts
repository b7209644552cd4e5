/**
 * Keeps the lease of a host while the thread that runs its objects computes. `keeping/` has the real implementation, a
 * thread; simulations have another.
 */
export interface LeaseKeeper {
  /** Renews the lease of this id, as soon as the id has one, until `end` is called or the host was declared dead. */
  keep(id: string): KeptLease;
}

export interface KeptLease {
  /** The end of the lease according to the keeper's renewals, by the lease clock. */
  readonly deadline: number;
  /** Stops renewing it, and leaves its release to other code. */
  end(): void;
}

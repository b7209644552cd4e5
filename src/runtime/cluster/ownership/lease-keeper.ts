/**
 * What keeps the lease of a host while the thread that runs its objects computes. `keeping/` has the real one, a thread;
 * simulations have another.
 */
export interface LeaseKeeper {
  /** Renews the lease of this id, as soon as there is one, until that is ended or the host was declared dead. */
  keep(id: string): KeptLease;
}

export interface KeptLease {
  /** Until when the lease holds by the renewals of the keeper, by the clock of leases. */
  readonly deadline: number;
  /** Renews it no more, and leaves it to others to release it. */
  end(): void;
}

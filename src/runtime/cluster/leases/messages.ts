/** Messages of the thread of the objects to the thread that renews leases and to the process that releases them. */

/** Times in the memory that the threads share, in microseconds: 64 bits, read and written atomically. */
export const sharedTime = {
  /** Earlier than any time. */
  never: -(2n ** 62n),
  write(times: BigInt64Array, index: number, ms: number): void {
    Atomics.store(
      times,
      index,
      ms === Number.NEGATIVE_INFINITY ? this.never : BigInt(Math.floor(ms * 1_000)),
    );
  },
  read(times: BigInt64Array, index: number): number {
    const value = Atomics.load(times, index);
    return value === this.never ? Number.NEGATIVE_INFINITY : Number(value) / 1_000;
  },
};

export interface RenewalThreadData {
  /** The `baseMs` of the lease clock. */
  readonly clockBaseMs: number;
  /** One time: when the thread that runs the objects last processed events. */
  readonly turned: SharedArrayBuffer;
}

export interface LeaseToKeep {
  readonly id: string;
  readonly url: string;
  readonly leaseMs: number;
  readonly stuckMs: number;
}

export type ToThread =
  | {
      readonly kind: 'keep';
      readonly lease: LeaseToKeep;
      /** One time: the end of the lease. */
      readonly deadline: SharedArrayBuffer;
    }
  | { readonly kind: 'end'; readonly id: string };

export interface FromThread {
  readonly kind: 'stuck';
  readonly id: string;
  readonly busyMs: number;
}

/** A line of JSON each. */
export type ToReleaser =
  | { readonly kind: 'keep'; readonly lease: Pick<LeaseToKeep, 'id' | 'url' | 'leaseMs'> }
  | { readonly kind: 'end'; readonly id: string };

/** What the thread of the objects says to the thread that renews leases and to the process that releases them. */

/** Times in the memory that the threads share, in microseconds: 64 bits that are read and written at once. */
export const sharedTime = {
  /** Earlier than anything. */
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

export interface ThreadData {
  /** Of the clock of leases. */
  readonly clockBaseMs: number;
  /** One time: when the thread that runs the objects turned last. */
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
      /** One time: until when the lease holds. */
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

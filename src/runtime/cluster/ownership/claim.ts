import type { ObjectKey } from './lease-database.ts';

/** A record that is being written. */
export interface PendingWrite {
  readonly sequence: number;
  readonly time: number;
  readonly payload: Uint8Array;
  readonly name: string | undefined;
  readonly alarm: number | null | undefined;
  /** By the lease clock. */
  readonly since: number;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * The right to write one object. Its writes wait in order; one is sent at a time. While the outcome of that one is
 * unknown, none of the others is sent.
 */
export class Claim {
  readonly object: ObjectKey;
  /** Grows with each claim, including claims that only determine the outcome of a write. */
  epoch: number;
  readonly waiting: PendingWrite[] = [];
  isSending = false;
  #lost: Error | undefined;

  constructor(object: ObjectKey, epoch: number) {
    this.object = object;
    this.epoch = epoch;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Why nothing more can be written under this claim. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** Accepts no more writes, and rejects the waiting ones with the cause. */
  lose(cause: Error): void {
    this.#lost ??= cause;
    for (const { done } of this.waiting.splice(0)) done.reject(cause);
  }
}

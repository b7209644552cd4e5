import type { ObjectKey } from './lease-database.ts';

/** A record on its way. */
export interface PendingWrite {
  readonly sequence: number;
  readonly time: number;
  readonly payload: Uint8Array;
  readonly name: string | undefined;
  readonly alarm: number | null | undefined;
  /** By the clock of leases. */
  readonly since: number;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * The right to write one object. Its writes wait in order; one is on its way at a time. While the outcome of that one is
 * unknown, none of the others is sent.
 */
export class Claim {
  readonly object: ObjectKey;
  /** Grows with each claim, also with those that only find out what became of a write. */
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

  /** Why nothing more can be written by it. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** Nothing more is written: those who wait are told why. */
  lose(cause: Error): void {
    this.#lost ??= cause;
    for (const { done } of this.waiting.splice(0)) done.reject(cause);
  }
}

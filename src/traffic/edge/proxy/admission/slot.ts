/**
 * The slot of one connection or one request, in every share that it counts for. Its holder reports when it waits for
 * its client and when it proceeds; while it waits, a newcomer can evict it.
 */
import type { Evictable, Share } from './share.ts';
import { createPlace, type QueuePlace } from './waiting-order.ts';

export class Slot implements Evictable {
  readonly #onEvicted: () => void;
  readonly #shares: Share[] = [];
  /** In the order of the shares; empty until the first wait, which most requests never reach. */
  readonly #places: QueuePlace<Evictable>[] = [];
  #isWaiting = false;
  #isReleased = false;

  /** `onEvicted` is called after the slot was evicted and released. */
  constructor(onEvicted: () => void) {
    this.#onEvicted = onEvicted;
  }

  /** Returns false if the share is full of holders that do not wait for their clients. */
  enter(share: Share): boolean {
    if (this.#isReleased || !share.take()) return false;
    this.#shares.push(share);
    if (this.#isWaiting) this.#join(this.#shares.length - 1);
    return true;
  }

  /**
   * The client must act next. Each later call reports progress of the client, which makes this holder the least idle.
   */
  wait(): void {
    if (this.#isReleased) return;
    this.#isWaiting = true;
    for (let index = 0; index < this.#shares.length; index++) this.#join(index);
  }

  /** Whether one of its shares has many holders that wait for their clients. */
  get isHurried(): boolean {
    return this.#shares.some((share) => share.isImpatient);
  }

  #join(index: number): void {
    this.#shares[index]!.waiting.append((this.#places[index] ??= createPlace<Evictable>(this)));
  }

  /** The edge or the origin must act next. */
  proceed(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    for (let index = 0; index < this.#places.length; index++)
      this.#shares[index]!.waiting.remove(this.#places[index]!);
  }

  evict(): void {
    this.release();
    this.#onEvicted();
  }

  /** Only the first call counts: an evicted holder releases its slot again when it ends. */
  release(): void {
    if (this.#isReleased) return;
    this.proceed();
    this.#isReleased = true;
    for (let index = 0; index < this.#shares.length; index++) this.#shares[index]!.release();
  }
}

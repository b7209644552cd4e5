/**
 * The slot of one connection or one request, in every share that it counts for. Its holder says when it waits for its client
 * and when it proceeds; while it waits, it can lose the slot to a newcomer.
 */
import type { Evictable, Share } from './share.ts';
import { createPlace, type QueuePlace } from './waiting-order.ts';

export class Slot implements Evictable {
  readonly #onEvicted: () => void;
  readonly #shares: Share[] = [];
  /** In the order of the shares; empty until it waits first, which most requests never do. */
  readonly #places: QueuePlace<Evictable>[] = [];
  #isWaiting = false;
  #isReleased = false;

  /** `onEvicted` is called when the slot is lost; the slot is released by then. */
  constructor(onEvicted: () => void) {
    this.#onEvicted = onEvicted;
  }

  /** Returns false if the share is full of others that do not wait for their clients. */
  enter(share: Share): boolean {
    if (this.#isReleased || !share.take()) return false;
    this.#shares.push(share);
    if (this.#isWaiting) this.#join(this.#shares.length - 1);
    return true;
  }

  /** The client has to act next. Called again when the client has made progress, which makes this the least idle. */
  wait(): void {
    if (this.#isReleased) return;
    this.#isWaiting = true;
    for (let index = 0; index < this.#shares.length; index++) this.#join(index);
  }

  /** Whether one of its shares has many that wait for their clients. */
  get isHurried(): boolean {
    return this.#shares.some((share) => share.isImpatient);
  }

  #join(index: number): void {
    this.#shares[index]!.waiting.append((this.#places[index] ??= createPlace<Evictable>(this)));
  }

  /** It is the turn of the edge or of the origin. */
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

  /** Only the first call counts: a holder that was evicted releases its slot again when it ends. */
  release(): void {
    if (this.#isReleased) return;
    this.proceed();
    this.#isReleased = true;
    for (let index = 0; index < this.#shares.length; index++) this.#shares[index]!.release();
  }
}

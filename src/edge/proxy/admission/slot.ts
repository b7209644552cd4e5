/**
 * The slot of one connection or one request, in every share that it counts for. Its holder says when it waits for its client
 * and when it proceeds; while it waits, it can lose the slot to a newcomer.
 */
import type { Evictable, Share } from './share.ts';
import { createPlace, type QueuePlace } from './waiting-order.ts';

interface Membership {
  readonly share: Share;
  readonly place: QueuePlace<Evictable>;
}

export class Slot implements Evictable {
  readonly #onEvicted: () => void;
  readonly #memberships: Membership[] = [];
  #isWaiting = false;
  #isReleased = false;

  /** `onEvicted` is called when the slot is lost; the slot is released by then. */
  constructor(onEvicted: () => void) {
    this.#onEvicted = onEvicted;
  }

  /** Returns false if the share is full of others that do not wait for their clients. */
  enter(share: Share): boolean {
    if (this.#isReleased || !share.take()) return false;
    const place = createPlace<Evictable>(this);
    this.#memberships.push({ share, place });
    if (this.#isWaiting) share.waiting.append(place);
    return true;
  }

  /** The client has to act next. Called again when the client has made progress, which makes this the least idle. */
  wait(): void {
    if (this.#isReleased) return;
    this.#isWaiting = true;
    for (const { share, place } of this.#memberships) share.waiting.append(place);
  }

  /** It is the turn of the edge or of the origin. */
  proceed(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    for (const { share, place } of this.#memberships) share.waiting.remove(place);
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
    for (const { share } of this.#memberships) share.release();
  }
}

/**
 * Objects with nothing to do, in the order they became idle; after a while, or when there are too many, each is passed
 * to `onExpired`.
 */
import type { Clock, Timer } from '#base';

export class IdleQueue<T> {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #idleMax: number;
  readonly #onExpired: (item: T) => void;
  readonly #since = new Map<T, number>();
  #timer: Timer | undefined;
  #pushing = false;

  constructor(clock: Clock, limits: { idleMs: number; idleMax: number }, onExpired: (item: T) => void) {
    this.#clock = clock;
    // At least 1 ms: an item added again while it expires must not expire again at once, in an endless loop.
    this.#idleMs = Math.max(1, limits.idleMs);
    this.#idleMax = limits.idleMax;
    this.#onExpired = onExpired;
  }

  add(item: T): void {
    this.#since.delete(item);
    this.#since.set(item, this.#clock.now());
    if (this.#timer === undefined) this.#arm();
    // An item that is pushed out may be added again at once: that must not push out the next.
    if (this.#since.size > this.#idleMax && !this.#pushing) this.#pushOutOldest();
  }

  delete(item: T): void {
    this.#since.delete(item);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#since.clear();
  }

  #arm(): void {
    this.#timer = undefined;
    for (const since of this.#since.values()) {
      this.#timer = this.#clock.setTimer(since + this.#idleMs, () => this.#expire(), 'housekeeping');
      return;
    }
  }

  #pushOutOldest(): void {
    const [oldest] = this.#since.keys();
    this.#since.delete(oldest!);
    this.#pushing = true;
    try {
      this.#onExpired(oldest!);
    } finally {
      this.#pushing = false;
    }
  }

  #expire(): void {
    const now = this.#clock.now();
    for (const [item, since] of this.#since) {
      // A time in the future means that the clock was set back: the item has been idle for longer.
      if (since > now - this.#idleMs && since <= now) break;
      this.#since.delete(item);
      this.#onExpired(item);
    }
    this.#arm();
  }
}

/**
 * Deadlines for many sockets at the cost of one assignment each: a single timer periodically checks all of them. A
 * deadline is precise to one tick, which is a fraction of the shortest timeout; nothing here needs more.
 */
import type { Clock, Timer } from '#base';

const tickMsMin = 5;
const tickMsMax = 500;
/** Ticks per shortest timeout. */
const ticksPerTimeout = 4;

export interface Watch {
  /** Sets the deadline to this many milliseconds from now. */
  within(ms: number): void;
  /** Removes the deadline until the next `within`. */
  pause(): void;
  /** Removes the watch. */
  end(): void;
}

class Deadline implements Watch {
  readonly #watchdog: Watchdog;
  readonly onLate: () => void;
  atMs = Infinity;

  constructor(watchdog: Watchdog, onLate: () => void) {
    this.#watchdog = watchdog;
    this.onLate = onLate;
  }

  within(ms: number): void {
    this.atMs = this.#watchdog.now() + ms;
  }

  pause(): void {
    this.atMs = Infinity;
  }

  end(): void {
    this.atMs = Infinity;
    this.#watchdog.forget(this);
  }
}

export class Watchdog {
  readonly #clock: Clock;
  readonly #tickMs: number;
  readonly #deadlines = new Set<Deadline>();
  #timer: Timer | undefined;

  constructor(clock: Clock, shortestTimeoutMs: number) {
    this.#clock = clock;
    this.#tickMs = Math.min(tickMsMax, Math.max(tickMsMin, shortestTimeoutMs / ticksPerTimeout));
  }

  now(): number {
    return this.#clock.now();
  }

  /** `onLate` is called once for each deadline that passes. */
  watch(onLate: () => void): Watch {
    const deadline = new Deadline(this, onLate);
    this.#deadlines.add(deadline);
    if (this.#timer === undefined) this.#arm();
    return deadline;
  }

  forget(deadline: Deadline): void {
    this.#deadlines.delete(deadline);
  }

  #arm(): void {
    this.#timer = this.#clock.setTimer(this.now() + this.#tickMs, () => this.#tick(), 'housekeeping');
  }

  #tick(): void {
    this.#timer = undefined;
    const now = this.now();
    for (const deadline of this.#deadlines) {
      if (deadline.atMs > now) continue;
      deadline.pause();
      deadline.onLate();
    }
    if (this.#deadlines.size > 0) this.#arm();
  }
}

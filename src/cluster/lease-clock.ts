/**
 * Time for leases: it never goes back, cannot be set, and goes on while this process is stopped or the machine sleeps. The
 * monotonic clock of Node stands still while the machine sleeps; the time since boot does not, but costs more to read and
 * counts in steps of 10 ms. So the later of the two counts, and the second is read once per millisecond of the first.
 */
import { uptime } from 'node:os';
import { clearTimeout, setTimeout } from 'node:timers';
import type { Timer } from '#base';

export interface LeaseClock {
  /** Milliseconds since some moment. */
  now(): number;
  setTimer(delayMs: number, callback: () => void): Timer;
}

const uptimeEveryMs = 1;

class SystemLeaseClock implements LeaseClock {
  readonly #startMs = performance.now();
  readonly #bootMs = uptime() * 1_000;
  #asleepMs = 0;
  #readAtMs = Number.NEGATIVE_INFINITY;

  now(): number {
    const elapsed = performance.now() - this.#startMs;
    if (elapsed - this.#readAtMs >= uptimeEveryMs) {
      this.#readAtMs = elapsed;
      this.#asleepMs = Math.max(this.#asleepMs, uptime() * 1_000 - this.#bootMs - elapsed);
    }
    return elapsed + this.#asleepMs;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const handle = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(handle) };
  }
}

export const systemLeaseClock: LeaseClock = new SystemLeaseClock();

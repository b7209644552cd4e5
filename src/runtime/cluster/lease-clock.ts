/**
 * Time for leases: it never goes back, cannot be set, and continues while this process is stopped or the machine
 * sleeps. Node's monotonic clock stands still while the machine sleeps; the time since boot does not, but is slower to
 * read and has a resolution of 10 ms. So the time that the machine has slept is added, and updated once per
 * millisecond.
 *
 * All threads of a process with the same `baseMs` read the same time, to within the resolution of the time since boot:
 * the thread that renews a lease publishes its end, and the thread that runs the objects compares. An interrupted
 * reading makes the sleep look shorter, never longer, and the longest counts, so no thread is ahead of another.
 */
import { uptime } from 'node:os';
import { clearTimeout, setTimeout } from 'node:timers';
import type { Timer } from '#base';
import { leaseUsed } from './limits.ts';

export interface LeaseClock {
  /** Milliseconds since a fixed moment. */
  now(): number;
  setTimer(delayMs: number, callback: () => void): Timer;
}

const uptimeEveryMs = 1;

export class SystemLeaseClock implements LeaseClock {
  /** How far the time since boot was ahead of the monotonic clock when this process began to measure. */
  readonly baseMs: number;
  /** From the clock of this thread to that of the machine. */
  readonly #offsetMs = readMonotonicMs() - performance.now();
  #asleepMs = 0;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(baseMs = readBootAheadMs()) {
    this.baseMs = baseMs;
  }

  now(): number {
    const monotonicMs = performance.now() + this.#offsetMs;
    if (monotonicMs - this.#readAtMs >= uptimeEveryMs) {
      this.#readAtMs = monotonicMs;
      this.#asleepMs = Math.max(this.#asleepMs, readBootAheadMs() - this.baseMs);
    }
    return monotonicMs + this.#asleepMs;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const handle = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(handle) };
  }
}

function readMonotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The monotonic clock is read second: a pause in between makes the result smaller. */
function readBootAheadMs(): number {
  const bootMs = uptime() * 1_000;
  return bootMs - readMonotonicMs();
}

export const systemLeaseClock = new SystemLeaseClock();

/** When a lease that the database has renewed ends on this host: before it ends in the database. */
export function findLeaseEnd(sentAt: number, leaseMs: number): number {
  return sentAt + leaseUsed * leaseMs;
}

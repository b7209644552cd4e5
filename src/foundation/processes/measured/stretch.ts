/**
 * An activity of a process's main thread that has not ended, with the time since it was first seen: by the clock, in
 * CPU time, and by the clock without the time in which the thread was runnable but other processes ran.
 */
export interface Taken {
  readonly clockMs: number;
  readonly ownMs: number;
  readonly cpuMs: number;
}

/** Totals of the process since its start: CPU time, and how long its main thread waited for a processor. */
export interface Used {
  readonly cpuMs: number;
  readonly waitedMs: number;
}

export class Stretch {
  readonly #readUsed: () => Used;
  #seen = -1;
  #clockMs = 0;
  #begin: Used | undefined;
  isTold = false;

  constructor(readUsed: () => Used) {
    this.#readUsed = readUsed;
  }

  /** `now` distinguishes this stretch from the previous one. A stopped process does not work in the meantime. */
  look(now: number, sinceLookMs: number): Taken {
    if (now !== this.#seen) {
      this.#seen = now;
      this.#clockMs = 0;
      this.#begin = undefined;
      this.isTold = false;
      return { clockMs: 0, ownMs: 0, cpuMs: 0 };
    }
    const used = this.#readUsed();
    // Most stretches are over by the second check: reading costs system calls.
    this.#begin ??= used;
    this.#clockMs += sinceLookMs;
    const waitedMs = used.waitedMs - this.#begin.waitedMs;
    return {
      clockMs: this.#clockMs,
      ownMs: Math.max(0, this.#clockMs - waitedMs),
      cpuMs: used.cpuMs - this.#begin.cpuMs,
    };
  }
}

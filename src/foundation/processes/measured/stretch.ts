/**
 * Something that the main thread of a process does without an end so far, and what it took since it was first seen: by the
 * clock, in CPU time, and of the clock what is left without the time in which it could have run and other processes did.
 */
export interface Taken {
  readonly clockMs: number;
  readonly ownMs: number;
  readonly cpuMs: number;
}

/** Of the process since its start: CPU time, and how long its main thread waited for a processor. */
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

  /** `now` tells this stretch from the one before. A process that was stopped for a while has not worked in that time. */
  look(now: number, sinceLookMs: number): Taken {
    if (now !== this.#seen) {
      this.#seen = now;
      this.#clockMs = 0;
      this.#begin = undefined;
      this.isTold = false;
      return { clockMs: 0, ownMs: 0, cpuMs: 0 };
    }
    const used = this.#readUsed();
    // Most stretches are over by the second look: reading costs system calls.
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

export interface BackOffLimits {
  readonly msMin: number;
  readonly msMax: number;
}

/** The delay before a retry after this many failures: it doubles with each of them, up to a bound. */
export function backOffMs(failures: number, { msMin, msMax }: BackOffLimits): number {
  return Math.min(msMin * 2 ** (failures - 1), msMax);
}

/** Counts failures for `backOffMs`. */
export class BackOff {
  readonly #limits: BackOffLimits;
  #failures = 0;

  constructor(limits: BackOffLimits) {
    this.#limits = limits;
  }

  /** Returns the delay after one more failure, in milliseconds. */
  next(): number {
    return backOffMs(++this.#failures, this.#limits);
  }

  /** Must be called when an attempt has succeeded. */
  reset(): void {
    this.#failures = 0;
  }
}

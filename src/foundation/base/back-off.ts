/** The delay before a retry: it doubles with each failure, up to a bound. */
export class BackOff {
  readonly #msMin: number;
  readonly #msMax: number;
  #nextMs: number;

  constructor({ msMin, msMax }: { readonly msMin: number; readonly msMax: number }) {
    this.#msMin = msMin;
    this.#msMax = msMax;
    this.#nextMs = msMin;
  }

  /** Returns the delay after one more failure, in milliseconds. */
  next(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, this.#msMax);
    return ms;
  }

  /** Must be called when an attempt has succeeded. */
  reset(): void {
    this.#nextMs = this.#msMin;
  }
}

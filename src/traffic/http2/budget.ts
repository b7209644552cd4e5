/** A rate limit: a burst, and a number per second after that. */
export class Budget {
  readonly #burst: number;
  readonly #perMs: number;
  #left: number;
  #atMs: number;

  constructor(burst: number, perSecond: number, nowMs: number) {
    this.#burst = burst;
    this.#perMs = perSecond / 1_000;
    this.#left = burst;
    this.#atMs = nowMs;
  }

  /** Returns false if the budget is used up. */
  spend(nowMs: number): boolean {
    this.#left = Math.min(this.#burst, this.#left + Math.max(0, nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  earn(amount: number): void {
    this.#left = Math.min(this.#burst, this.#left + amount);
  }
}

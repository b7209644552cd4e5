/**
 * Keeps a limited number of databases open. The one to park is found by the second-chance algorithm: a database used
 * since the last round is skipped once.
 */
export interface Parkable {
  readonly parkable: boolean;
  /** Whether it was used since the last call. */
  takeUsed(): boolean;
  park(): void;
}

export class DatabasePool {
  readonly #max: number;
  readonly #open = new Set<Parkable>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#open.size;
  }

  opened(store: Parkable): void {
    this.#open.add(store);
    let tries = 2 * this.#open.size;
    for (const candidate of this.#open) {
      if (this.#open.size <= this.#max || tries-- === 0) return;
      if (candidate === store) continue;
      this.#open.delete(candidate);
      if (candidate.takeUsed() || !candidate.parkable) this.#open.add(candidate);
      else candidate.park();
    }
  }

  closed(store: Parkable): void {
    this.#open.delete(store);
  }
}

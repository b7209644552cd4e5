/** The clauses of one list that may match one request, each once, in order. Reused for each request. */
export class Candidates {
  readonly #clauses: Int32Array;
  /** The round in which each clause was last added. */
  readonly #rounds: Float64Array;
  #round = 0;
  #start = 0;
  #end = 0;
  #isSorted = true;

  constructor(clauseCount: number) {
    this.#clauses = new Int32Array(clauseCount);
    this.#rounds = new Float64Array(clauseCount);
  }

  clear(): void {
    this.#round += 1;
    this.#start = 0;
    this.#end = 0;
    this.#isSorted = true;
  }

  /** Bound, so that it can be passed as a function. All clauses come after those taken so far. */
  readonly add = (clauses: readonly number[]): void => {
    for (const clause of clauses) {
      if (this.#rounds[clause] === this.#round) continue;
      this.#rounds[clause] = this.#round;
      if (this.#end > this.#start && this.#clauses[this.#end - 1]! > clause) this.#isSorted = false;
      this.#clauses[this.#end++] = clause;
    }
  };

  /** The first candidate, which stays until it is taken; `Infinity` if there is none. */
  next(): number {
    if (this.#start === this.#end) return Infinity;
    if (!this.#isSorted) {
      this.#clauses.subarray(this.#start, this.#end).sort();
      this.#isSorted = true;
    }
    return this.#clauses[this.#start]!;
  }

  take(): void {
    this.#start += 1;
  }
}

/** The rules of one list that may match one request, each once, in order. Reused from request to request. */
export class Candidates {
  readonly #rules: Int32Array;
  /** In which round a rule was last added. */
  readonly #rounds: Float64Array;
  #round = 0;
  #start = 0;
  #end = 0;
  #isSorted = true;

  constructor(ruleCount: number) {
    this.#rules = new Int32Array(ruleCount);
    this.#rounds = new Float64Array(ruleCount);
  }

  clear(): void {
    this.#round += 1;
    this.#start = 0;
    this.#end = 0;
    this.#isSorted = true;
  }

  /** Bound, so that it can be handed around. All rules come after those taken so far. */
  readonly add = (rules: readonly number[]): void => {
    for (const rule of rules) {
      if (this.#rounds[rule] === this.#round) continue;
      this.#rounds[rule] = this.#round;
      if (this.#end > this.#start && this.#rules[this.#end - 1]! > rule) this.#isSorted = false;
      this.#rules[this.#end++] = rule;
    }
  };

  /** The first of them, which stays until it is taken; `Infinity` if there is none. */
  next(): number {
    if (this.#start === this.#end) return Infinity;
    if (!this.#isSorted) {
      this.#rules.subarray(this.#start, this.#end).sort();
      this.#isSorted = true;
    }
    return this.#rules[this.#start]!;
  }

  take(): void {
    this.#start += 1;
  }
}

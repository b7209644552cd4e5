/**
 * How much work a request, or anything else with a bound, may still cause. Work is counted in steps, an instruction of a
 * pattern or a few bytes of a value each, so that the same request always costs the same. What runs inside V8 cannot be
 * counted: its worst case is noted, and charged only as far as time has really passed.
 *
 * Whoever does work says so with `spendSteps` or `suspectSteps`; the budget it is charged to is the one whose `run` is on
 * the stack. When it is used up, `OutOfSteps` is thrown through everything that runs, and out of `run`.
 *
 * ```ts
 * const budget = new StepBudget(1_000_000);
 * budget.run(() => pattern.test(value)); // may throw OutOfSteps
 * budget.spent;                          // what it took
 * ```
 */

/** The work was given up because its budget is used up. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';

  constructor() {
    super('the step budget is used up');
  }
}

/** What a step takes on an ordinary core, for work that only a clock can measure. */
const nanosecondsPerStep = 5;

/** So much suspected work is let go before the clock is read: some 10 ms. */
const suspectedMax = 2_000_000;

/** Of the budget that runs: what is left, and the worst case of what ran inside V8 since the clock was read last. */
const meter = new Float64Array([Infinity, 0]);
const left = 0;
const suspected = 1;

export class StepBudget {
  readonly #steps: number;
  #left: number;
  #readAtMs: number | undefined;

  constructor(steps: number) {
    this.#steps = steps;
    this.#left = steps;
  }

  /** What was charged; never more than there was. */
  get spent(): number {
    return this.#steps - Math.max(0, this.#left);
  }

  get isUsedUp(): boolean {
    return this.#left < 0;
  }

  /** Charges what `work` does. May be called again for more work on the same account. */
  run<T>(work: () => T): T {
    if (this.#left < 0) throw new OutOfSteps();
    const [outer, outerLeft, outerSuspected] = [current, meter[left]!, meter[suspected]!];
    setCurrent(this);
    meter[left] = this.#left;
    meter[suspected] = 0;
    this.#readAtMs = undefined;
    try {
      return work();
    } finally {
      this.#left = meter[left]!;
      setCurrent(outer);
      meter[left] = outerLeft;
      meter[suspected] = outerSuspected;
    }
  }

  /** Charges suspected work, but not more than the time since the clock was read last. */
  settle(): void {
    const nowMs = performance.now();
    if (this.#readAtMs !== undefined) {
      const passed = ((nowMs - this.#readAtMs) * 1e6) / nanosecondsPerStep;
      meter[left]! -= Math.min(meter[suspected]!, passed);
    }
    this.#readAtMs = nowMs;
    meter[suspected] = 0;
    if (meter[left]! < 0) throw new OutOfSteps();
  }
}

/** What is done for nobody in particular, a tool on the command line for instance, has no bound. */
let current = new StepBudget(Infinity);

function setCurrent(budget: StepBudget): void {
  current = budget;
}

/** Charges steps that were counted. */
export function spendSteps(steps: number): void {
  if ((meter[left]! -= steps) < 0) throw new OutOfSteps();
}

/** Notes work that nobody counts and that takes at most so many steps. */
export function suspectSteps(steps: number): void {
  if ((meter[suspected]! += steps) > suspectedMax) current.settle();
}

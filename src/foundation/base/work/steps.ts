/**
 * How much work a request, or anything else with a bound, may still cause. Work is counted in steps, an instruction of a
 * pattern or a few bytes of a value each, so that the same request always costs the same. What runs inside V8 cannot be
 * counted: its worst case is noted, and charged only as far as time has really passed.
 *
 * A step takes longer on a slow machine, so a budget can also have a limit of CPU time. It is read after every
 * `stepsPerLook` steps, so work that is small never reads a clock.
 *
 * Code that does work says so with `spendSteps` or `suspectSteps`; the budget it is charged to is the one whose `run` is on
 * the stack. When it is used up, `OutOfSteps` is thrown through everything that runs, and out of `run`.
 *
 * ```ts
 * const budget = new StepBudget(1_000_000, { cpuMsMax: 50 });
 * budget.run(() => pattern.test(value)); // may throw OutOfSteps
 * budget.spent;                          // what it took
 * budget.exceeded;                       // 'steps' or 'time', if it was too much
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

/** Steps between two looks at the CPU time, some 1 ms: a look takes 1 to 3 µs. */
const stepsPerLook = 200_000;

/**
 * Of the budget that runs: what is left until the next look, and the worst case of what ran inside V8 since the clock was
 * read last.
 */
const meter = new Float64Array([Infinity, 0]);
const left = 0;
const suspected = 1;

export interface StepBudgetOptions {
  /** CPU time of this thread; more than that is only noticed at the next look. */
  readonly cpuMsMax?: number;
  readonly readCpuMs?: () => number;
}

export class StepBudget {
  readonly #steps: number;
  readonly #cpuMsMax: number;
  readonly #readCpuMs: () => number;
  /** Without what is in the meter while it runs. */
  #left: number;
  /** Of all runs. */
  #cpuMs = 0;
  #cpuReadMs: number | undefined;
  #readAtMs: number | undefined;
  #exceeded: 'steps' | 'time' | undefined;
  /** What the work of this moment leaves to others. */
  #kept = 0;
  #exceededSteps: number | undefined;

  constructor(steps: number, { cpuMsMax = Infinity, readCpuMs = readThreadCpuMs }: StepBudgetOptions = {}) {
    this.#steps = steps;
    this.#left = steps;
    this.#cpuMsMax = cpuMsMax;
    this.#readCpuMs = readCpuMs;
  }

  /** What there was. */
  get size(): number {
    return this.#steps;
  }

  /** CPU time that it may take. */
  get cpuMsMax(): number {
    return this.#cpuMsMax;
  }

  /** What was charged; never more than there was. */
  get spent(): number {
    return this.#steps - Math.max(0, this.#left);
  }

  /** Which of its limits was reached, if one was. */
  get exceeded(): 'steps' | 'time' | undefined {
    return this.#exceeded;
  }

  /** How many steps were too much, if `exceeded` says so: all that there were, or the share of some work. */
  get exceededSteps(): number {
    return this.#exceededSteps ?? this.#steps;
  }

  /** Charges what `work` does. May be called again for more work on the same account. */
  run<T>(work: () => T): T {
    if (this.#exceeded !== undefined) throw new OutOfSteps();
    const [outer, outerLeft, outerSuspected] = [current, meter[left]!, meter[suspected]!];
    setCurrent(this);
    this.#fillMeter();
    meter[suspected] = 0;
    this.#readAtMs = undefined;
    this.#cpuReadMs = undefined;
    try {
      return work();
    } finally {
      this.#emptyMeter();
      setCurrent(outer);
      meter[left] = outerLeft;
      meter[suspected] = outerSuspected;
    }
  }

  /** Does work, inside of a run, that may take only so many steps of what is left. More than that ends the whole run. */
  share<T>(steps: number, work: () => T): T {
    if (!Number.isFinite(this.#steps)) return work();
    const kept = this.#kept;
    this.#emptyMeter();
    this.#kept = Math.max(kept, this.#left - steps);
    this.#fillMeter();
    try {
      return work();
    } catch (error) {
      if (this.#exceeded === 'steps' && this.#kept > kept) this.#exceededSteps ??= steps;
      throw error;
    } finally {
      this.#emptyMeter();
      this.#kept = kept;
      if (this.#exceeded === undefined) this.#fillMeter();
    }
  }

  /** Does work whose steps and time are charged to no budget. */
  exclude<T>(work: () => T): T {
    const readsCpu = this.#cpuReadMs !== undefined;
    const [cpuMs, nowMs] = [readsCpu ? this.#readCpuMs() : 0, performance.now()];
    try {
      return unbounded.run(work);
    } finally {
      if (readsCpu) this.#cpuReadMs! += this.#readCpuMs() - cpuMs;
      if (this.#readAtMs !== undefined) this.#readAtMs += performance.now() - nowMs;
    }
  }

  /** What was in the meter is spent: fills it again, unless a limit is reached. */
  look(): void {
    this.#emptyMeter();
    if (this.#left < this.#kept) this.#exceeded ??= 'steps';
    else if (this.#cpuMsMax < Infinity) this.#readCpu();
    if (this.#exceeded !== undefined) throw new OutOfSteps();
    this.#fillMeter();
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
    this.look();
  }

  #fillMeter(): void {
    const usable = this.#left - this.#kept;
    const filled = this.#cpuMsMax === Infinity ? usable : Math.min(usable, stepsPerLook);
    this.#left -= filled;
    meter[left] = filled;
  }

  /** Takes back what is left in the meter, or what it was overdrawn by. */
  #emptyMeter(): void {
    // A budget without a bound has all of it in the meter.
    this.#left = Number.isFinite(this.#steps) ? this.#left + meter[left]! : Infinity;
    meter[left] = 0;
  }

  #readCpu(): void {
    const cpuMs = this.#readCpuMs();
    if (this.#cpuReadMs !== undefined) this.#cpuMs += cpuMs - this.#cpuReadMs;
    this.#cpuReadMs = cpuMs;
    if (this.#cpuMs > this.#cpuMsMax) this.#exceeded = 'time';
  }
}

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** What is done outside of any budget, by a tool on the command line for instance, has no bound. */
const unbounded = new StepBudget(Infinity);
let current = unbounded;

function setCurrent(budget: StepBudget): void {
  current = budget;
}

/** Charges steps that were counted. */
export function spendSteps(steps: number): void {
  if ((meter[left]! -= steps) < 0) current.look();
}

/** Notes work that is not counted and takes at most so many steps. */
export function suspectSteps(steps: number): void {
  if ((meter[suspected]! += steps) > suspectedMax) current.settle();
}

/** Does work that may take only so many steps of what the budget that runs has left. */
export function shareSteps<T>(steps: number, work: () => T): T {
  return current.share(steps, work);
}

/**
 * Does work that is needed once in the life of a process, such as to compile a rule of the catalogue: it is charged to
 * no budget, or else the first request that needs it would be judged or explained differently from the others.
 */
export function runUncharged<T>(work: () => T): T {
  return current.exclude(work);
}

/**
 * The remaining work that a request, or anything else with a limit, may cause. Work is counted in steps, an instruction
 * of a pattern or a few bytes of a value each, so that the same request always costs the same. Work inside V8 cannot be
 * counted: its worst case is recorded, and charged only as far as time has really passed.
 *
 * A step takes longer on a slow machine, so a budget can also have a limit of CPU time. It is read after every
 * `stepsPerLook` steps, so small work never reads a clock.
 *
 * Code that does work reports it with `spendSteps` or `suspectSteps`; it is charged to the budget whose `run` is on the
 * stack. When that is used up, `OutOfSteps` is thrown through everything that runs, and out of `run`.
 *
 * ```ts
 * const budget = new StepBudget(1_000_000, { cpuMsMax: 50 });
 * budget.run(() => pattern.test(value)); // may throw OutOfSteps
 * budget.spent;                          // what it took
 * budget.exceeded;                       // 'steps' or 'time', if it was too much
 * ```
 */

/** The work was aborted because its budget is used up. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';

  constructor() {
    super('the step budget is used up');
  }
}

/** The duration of a step on an ordinary core, for work that only a clock can measure. */
const nanosecondsPerStep = 5;

/** The suspected work that is admitted before the clock is read: about 10 ms. */
const suspectedMax = 2_000_000;

/** Steps between two readings of the CPU time, about 1 ms: a reading takes 1 to 3 µs. */
const stepsPerLook = 200_000;

/**
 * Of the running budget: the steps left until the next reading, and the worst case of work inside V8 since the clock
 * was last read.
 */
const meter = new Float64Array([Infinity, 0]);
const left = 0;
const suspected = 1;

export interface StepBudgetOptions {
  /** CPU time of this thread; exceeding it is noticed only at the next reading. */
  readonly cpuMsMax?: number;
  readonly readCpuMs?: () => number;
}

export class StepBudget {
  readonly #steps: number;
  readonly #cpuMsMax: number;
  readonly #readCpuMs: () => number;
  /** Without the steps that are in the meter while it runs. */
  #left: number;
  /** The total of all runs. */
  #cpuMs = 0;
  #cpuReadMs: number | undefined;
  #readAtMs: number | undefined;
  #exceeded: 'steps' | 'time' | undefined;
  /** Steps reserved from the current work. */
  #kept = 0;
  #exceededSteps: number | undefined;

  constructor(steps: number, { cpuMsMax = Infinity, readCpuMs = readThreadCpuMs }: StepBudgetOptions = {}) {
    this.#steps = steps;
    this.#left = steps;
    this.#cpuMsMax = cpuMsMax;
    this.#readCpuMs = readCpuMs;
  }

  /** The initial number of steps. */
  get size(): number {
    return this.#steps;
  }

  /** The maximum CPU time. */
  get cpuMsMax(): number {
    return this.#cpuMsMax;
  }

  /** The steps charged; never more than the initial number. */
  get spent(): number {
    return this.#steps - Math.max(0, this.#left);
  }

  /** The limit that was reached, if any. */
  get exceeded(): 'steps' | 'time' | undefined {
    return this.#exceeded;
  }

  /** How many steps were exceeded, if `exceeded` is set: all steps of the budget, or the share of some work. */
  get exceededSteps(): number {
    return this.#exceededSteps ?? this.#steps;
  }

  /** Charges the work of a function. May be called again for more work on the same budget. */
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

  /** Runs work, inside a run, with at most this many of the remaining steps. Exceeding them ends the whole run. */
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

  /** Runs work whose steps and time are charged to no budget. */
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

  /** The meter is used up: refills it, unless a limit is reached. */
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

  /** Returns the rest of the meter to the budget, or subtracts what was overdrawn. */
  #emptyMeter(): void {
    // A budget without a limit has all of its steps in the meter.
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

/** Work outside of any budget, for instance by a tool on the command line, has no limit. */
const unbounded = new StepBudget(Infinity);
let current = unbounded;

function setCurrent(budget: StepBudget): void {
  current = budget;
}

/** Charges counted steps. */
export function spendSteps(steps: number): void {
  if ((meter[left]! -= steps) < 0) current.look();
}

/** Records uncounted work that takes at most this many steps. */
export function suspectSteps(steps: number): void {
  if ((meter[suspected]! += steps) > suspectedMax) current.settle();
}

/** Runs work with at most this many of the running budget's remaining steps. */
export function shareSteps<T>(steps: number, work: () => T): T {
  return current.share(steps, work);
}

/**
 * Runs work that is needed once in the life of a process, such as compiling a rule of the catalogue: it is charged to
 * no budget, or the first request that needs it would be judged or explained differently from others.
 */
export function runUncharged<T>(work: () => T): T {
  return current.exclude(work);
}

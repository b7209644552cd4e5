/** Runs a story with many seeds, and reports the shortest failing one. */
import { type Story, readOptions, type SimulationOptions, SimulationOptionsError } from './options.ts';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IdFactory, Scratch } from '#objects';
import { SimulationFailure } from './story/simulation-failure.ts';
import type { FaultKind } from './chances/faults.ts';
import { HangWatch } from './surroundings/hang-watch.ts';
import { Life, type LifeParts, type LifeResult } from './life.ts';
import { NativeWork } from './surroundings/native-work.ts';
import { parsePlan, type SimulationPlan } from './story/simulation-plan.ts';
import { RefusedDoors } from './surroundings/refused-doors.ts';
import { Rejections } from './surroundings/rejections.ts';
import { SeededGlobals } from './chances/seeded-globals.ts';
import { shrink } from './story/shrink.ts';
import { SimulatedTurns } from './surroundings/simulated-turns.ts';

export interface SimulateOptions extends SimulationOptions {
  /** The number of lives; 1,000 by default, or as many as fit into `seconds`. */
  readonly seeds?: number;
  /** The first seed; 1 by default. */
  readonly firstSeed?: number;
  /** Ends after this time. */
  readonly seconds?: number;
  /** Repeats one life: a seed, or the text that a failure has printed. */
  readonly replay?: string;
  /** @internal How long code may compute without a pause. */
  readonly hangMs?: number;
  /** @internal Tests weaken the promises of a home. */
  readonly createHome?: LifeParts['createHome'];
}

export interface SimulationReport {
  readonly lives: number;
  /** Operations of clients, commits of objects, and faults, in all lives together. */
  readonly operations: number;
  readonly commits: number;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** How many lives were different from each other, and how many of the last tenth differed from all earlier ones. */
  readonly distinct: number;
  readonly distinctLately: { readonly lives: number; readonly distinct: number };
  /** A number that is the same for every run of the same seeds with the same code. */
  readonly trace: number;
  readonly seconds: number;
  /** Warnings that limit the value of the result. */
  readonly told: readonly string[];
}

const seedsDefault = 1_000;
/** The number of seeds that are run twice, to check that both lives are the same. */
const comparedSeeds = 3;
const memoryDirectory = '/dev/shm';

/** One simulation at a time: a life controls the random numbers of the whole process. */
let last: Promise<unknown> = Promise.resolve();

export function simulate(options: SimulateOptions, story: Story): Promise<SimulationReport> {
  const run = last.then(() => runSimulation(options, story));
  last = run.catch(() => {});
  return run;
}

async function runSimulation(options: SimulateOptions, story: Story): Promise<SimulationReport> {
  const cast = readOptions(options, story);
  const { firstSeed = 1, seconds = Infinity, replay, createHome } = options;
  const seeds = options.seeds ?? (options.seconds === undefined ? seedsDefault : Infinity);
  for (const [name, value] of Object.entries({ seeds, firstSeed, seconds }))
    if (!(typeof value === 'number' && value >= 0))
      throw new SimulationOptionsError(
        `simulate(): ${name} must be a number, zero or more: ${String(value)}`,
      );
  const directory = mkdtempSync(
    join(existsSync(memoryDirectory) ? memoryDirectory : tmpdir(), 'gatehouse-simulation-'),
  );
  using watch = new HangWatch(options.hangMs);
  using rejections = new Rejections();
  using globals = new SeededGlobals();
  using natives = new NativeWork();
  using _doors = new RefusedDoors();
  const turns = new SimulatedTurns();
  try {
    const scratch = new Scratch(join(directory, 'live'));
    const idsOf = shareIds();
    const live = (plan: SimulationPlan, isTold = false): Promise<LifeResult> => {
      watch.begin(plan.seed);
      const home = createHome === undefined ? {} : { createHome };
      return Life.live({
        cast,
        plan,
        scratch,
        idsOf,
        isTold,
        rejections,
        globals,
        natives,
        turns,
        onStep: watch.onStep,
        ...home,
      });
    };
    const tally = new Tally();
    if (replay !== undefined) {
      const plan = parsePlan(replay);
      const result = await live(plan, true);
      if (result.failure !== undefined) throw new SimulationFailure(plan, result);
      tally.add(plan.seed, result);
      return tally.report();
    }
    for (let seed = firstSeed; seed < firstSeed + seeds && tally.seconds < seconds; seed++) {
      const result = await live({ seed });
      if (result.failure !== undefined) throw await explain({ plan: { seed }, result }, live);
      tally.add(seed, result);
    }
    await tally.compare(live);
    return tally.report();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Lives have the same ids for the same names: they are derived once. */
function shareIds(): LifeParts['idsOf'] {
  const made = new Map<string, IdFactory>();
  let randomOfLife: (count: number) => Buffer;
  return (randomBytes) => {
    randomOfLife = randomBytes;
    return (className, uniqueKey) => {
      const key = JSON.stringify([className, uniqueKey]);
      const ids = made.get(key) ?? new IdFactory(className, uniqueKey, (count) => randomOfLife(count));
      made.set(key, ids);
      return ids;
    };
  };
}

/** Finds the shortest story of a failure, and records it. */
async function explain(
  first: { readonly plan: SimulationPlan; readonly result: LifeResult },
  live: (plan: SimulationPlan, isTold?: boolean) => Promise<LifeResult>,
): Promise<SimulationFailure> {
  const { plan, lives } = await shrink(first, live);
  const told = await live(plan, true);
  const search = { lives, steps: first.result.steps.length, faults: first.result.faults.length };
  if (told.failure !== undefined) return new SimulationFailure(plan, told, search);
  // It no longer fails: its code does not depend on the seed alone.
  const again = await live(first.plan, true);
  const shown = again.failure === undefined ? { ...again, failure: first.result.failure } : again;
  return new SimulationFailure(first.plan, shown, undefined, again.failure === undefined);
}

/** Counts the results of lives. */
class Tally {
  readonly #begunAt = performance.now();
  readonly #faults: Partial<Record<FaultKind, number>> = {};
  readonly #traces = new Set<number>();
  /** For each life, whether it differed from all earlier ones. */
  readonly #news: boolean[] = [];
  readonly #compared: Array<readonly [seed: number, trace: number]> = [];
  readonly #told: string[] = [];
  #trace = 0;
  #operations = 0;
  #commits = 0;
  /** What lives waited for that the seed does not determine, with the first seed of each. */
  readonly #escapes = new Map<string, number>();

  get seconds(): number {
    return (performance.now() - this.#begunAt) / 1_000;
  }

  add(seed: number, { trace, operations, commits, faults, escapes }: LifeResult): void {
    this.#news.push(!this.#traces.has(trace));
    this.#traces.add(trace);
    this.#trace = Math.imul(this.#trace ^ trace, 0x01000193) >>> 0;
    this.#operations += operations;
    this.#commits += commits;
    for (const { kind } of faults) this.#faults[kind] = (this.#faults[kind] ?? 0) + 1;
    if (this.#compared.length < comparedSeeds) this.#compared.push([seed, trace]);
    for (const what of escapes) this.#escapes.set(what, this.#escapes.get(what) ?? seed);
  }

  async compare(live: (plan: SimulationPlan) => Promise<LifeResult>): Promise<void> {
    for (const [seed, trace] of this.#compared) {
      if ((await live({ seed })).trace === trace) continue;
      this.#told.push(
        `seed ${seed} ran differently the second time: code of the objects keeps state outside of them (in a variable of its module), or looks at something that the seed does not decide (files, the network, random() or the time of SQL)`,
      );
      return;
    }
  }

  report(): SimulationReport {
    const lately = this.#news.slice(-Math.ceil(this.#news.length / 10));
    for (const [what, seed] of this.#escapes)
      this.#told.push(`seed ${seed} ${what}: what comes of it, or when, does not follow from the seed`);
    return {
      lives: this.#news.length,
      operations: this.#operations,
      commits: this.#commits,
      faults: this.#faults,
      distinct: this.#traces.size,
      distinctLately: { lives: lately.length, distinct: lately.filter(Boolean).length },
      trace: this.#trace,
      seconds: this.seconds,
      told: this.#told,
    };
  }
}

export interface DefinedOptions extends SimulateOptions {
  /** True for a simulation that demonstrates a mistake: then it fails if nothing is found. */
  readonly mustFail?: boolean;
}

export class DefinedSimulation {
  readonly options: DefinedOptions;
  readonly story: Story;

  constructor(options: DefinedOptions, story: Story) {
    this.options = options;
    this.story = story;
  }
}

/** Exported by a module `*.simulation.ts`; `gatehouse simulate` runs it under the name of the export. */
export function defineSimulation(options: DefinedOptions, story: Story): DefinedSimulation {
  return new DefinedSimulation(options, story);
}

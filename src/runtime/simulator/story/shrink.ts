/**
 * Searches for the shortest story with the same failure: steps and faults are left out, many at first, then one by one,
 * until all remaining ones are needed, or the limit of attempts is reached.
 */
import type { StoryFailure } from './failure.ts';
import type { LifeResult } from '../life.ts';
import type { SimulationPlan } from './simulation-plan.ts';

const livesMax = 400;
const msMax = 4_000;

export interface Shrunk {
  readonly plan: SimulationPlan;
  readonly lives: number;
}

export async function shrink(
  first: { readonly plan: SimulationPlan; readonly result: LifeResult },
  live: (plan: SimulationPlan) => Promise<LifeResult>,
): Promise<Shrunk> {
  const failure = first.result.failure!;
  const giveUpAt = performance.now() + msMax;
  let lives = 0;
  let best: SimulationPlan = {
    seed: first.plan.seed,
    steps: new Set(first.result.steps),
    faults: new Set(first.result.faults.map(({ name }) => name)),
  };
  const fails = async (plan: SimulationPlan): Promise<boolean> => {
    if (lives >= livesMax || performance.now() > giveUpAt) return false;
    lives++;
    const result = await live(plan);
    if (!isSame(failure, result.failure)) return false;
    best = {
      seed: plan.seed,
      steps: new Set(result.steps),
      faults: new Set(result.faults.map(({ name }) => name)),
    };
    return true;
  };
  for (let before = Infinity; weigh(best) < before;) {
    before = weigh(best);
    await reduce([...best.faults!], (faults) => fails({ ...best, faults: new Set(faults) }));
    await reduce([...best.steps!], (steps) => fails({ ...best, steps: new Set(steps) }));
  }
  return { plan: best, lives };
}

function isSame(failure: StoryFailure, other: StoryFailure | undefined): boolean {
  return other !== undefined && failure.isLike(other);
}

function weigh({ steps, faults }: SimulationPlan): number {
  return steps!.size + faults!.size;
}

/** Removes as much of a list as possible, in ever smaller parts. */
async function reduce<T>(all: readonly T[], works: (part: readonly T[]) => Promise<boolean>): Promise<void> {
  let left = all;
  for (let size = left.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < left.length;) {
      const part = [...left.slice(0, from), ...left.slice(from + size)];
      if (await works(part)) left = part;
      else from += size;
    }
  }
}

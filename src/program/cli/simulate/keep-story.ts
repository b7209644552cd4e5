/** Stores the story of a failed simulation for the page of `gatehouse dev`. */
import { dirname, relative, resolve } from 'node:path';
import { StoryFiles } from '#operator';
import type { SimulationFailure } from '#simulator';
import { findProject } from '#workers';

/** Deletes the story of a successful one. Returns the reason if it cannot be stored: the run continues. */
export function keepStory(
  file: string,
  simulation: string,
  failure: SimulationFailure | undefined,
): { readonly unreported?: string } {
  const project = findProject(file) ?? dirname(resolve(file));
  const stories = new StoryFiles(project);
  const shown = relative(project, resolve(file));
  try {
    if (failure === undefined) stories.remove({ file: shown, simulation });
    else stories.write({ file: shown, simulation, ...describe(failure) });
    return {};
  } catch (error) {
    return { unreported: `the page of gatehouse dev cannot show it: ${(error as Error).message}` };
  }
}

function describe({ seed, replay, problem, moments }: SimulationFailure) {
  return {
    seed,
    replay,
    problem,
    told_on: new Date().toISOString(),
    moments: moments.map(({ atMs, who, what, isFault, changes }) => ({
      at_ms: Math.round(atMs * 1000) / 1000,
      who,
      what,
      is_fault: isFault,
      ...(changes === undefined ? {} : { changes }),
    })),
  };
}

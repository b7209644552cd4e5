/** The stored data of a story's objects after each of its moments. */
import type { SimulationStory } from '#client';
import type { ShownDifference } from './difference-table.tsx';

export type StoryMoment = SimulationStory['moments'][number];

/**
 * Everything that is stored before the one or after the other, in order of first appearance. `before` is undefined for
 * the start, when nothing was stored.
 */
export function compareMoments(
  moments: readonly StoryMoment[],
  before: number | undefined,
  after: number,
): ShownDifference[] {
  const earlier = collect(moments.slice(0, before === undefined ? 0 : before + 1));
  const later = collect(moments.slice(0, after + 1));
  return [...new Set([...earlier.keys(), ...later.keys()])].map((key) => {
    const [was, is] = [earlier.get(key), later.get(key)];
    const { before: _, after: __, ...place } = (is ?? was)!;
    return {
      ...place,
      ...(was?.after === undefined ? {} : { before: was.after }),
      ...(is?.after === undefined ? {} : { after: is.after }),
    };
  });
}

/** The last change of each place; deleted ones are absent. */
function collect(moments: readonly StoryMoment[]): Map<string, ShownDifference> {
  const stored = new Map<string, ShownDifference>();
  for (const { who, changes = [] } of moments) {
    for (const change of changes) {
      const key = JSON.stringify([who, change.kind, change.table, change.key]);
      if (change.after === undefined) stored.delete(key);
      else stored.set(key, { ...change, object: who });
    }
  }
  return stored;
}

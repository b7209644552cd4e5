/**
 * Keeps the number of runs small, by merging adjacent ones (adjacent in age, so that newer still hides older).
 *
 * Runs are merged by size, not kept in levels: every row is rewritten about once per fourfold growth of the
 * store instead of some ten times per level, and the filters keep point reads from paying for the few more
 * runs there are. All of it happens on the event loop, in slices, where a test can observe and fail every write;
 * the price is one core while a merge lasts.
 *
 * Deletions are removed when a merge includes the oldest run: then no older row is left for them to hide.
 */
import { mergeRunsMin, runsTarget } from '../limits.ts';
import { Merge } from './merge.ts';
import { makePrefixRange } from '../row.ts';
import { RunCursor } from './run-cursor.ts';
import type { RunSet } from './run-set.ts';
import type { Run } from './run.ts';

export interface RunWeight {
  readonly bytes: number;
  readonly rowCount: number;
  readonly deletionCount: number;
}

/** The runs to merge next, from `first` to `end` (exclusive), counted from the newest. */
export function chooseMerge(newestFirst: readonly RunWeight[]): { first: number; end: number } | undefined {
  const count = newestFirst.length;
  if (count < 2) return undefined;
  const total = (get: (run: RunWeight) => number, first = 0, end = count): number =>
    newestFirst.slice(first, end).reduce((sum, run) => sum + get(run), 0);
  // If a third of the rows are deletions, what they hide may be another third, so a merge frees space.
  if (total((run) => run.deletionCount) * 3 >= total((run) => run.rowCount)) return { first: 0, end: count };
  // A run joins the newer ones if it is no larger than all of them together.
  for (let first = 0; first + mergeRunsMin <= count; first++) {
    let end = first + 1;
    for (let bytes = 0; end < count; end++) {
      bytes += newestFirst[end - 1]!.bytes;
      if (newestFirst[end]!.bytes > bytes) break;
    }
    if (end - first >= mergeRunsMin) return { first, end };
  }
  if (count <= runsTarget) return undefined;
  const starts = Array.from({ length: count - mergeRunsMin + 1 }, (_, first) => first);
  const cost = (first: number): number => total((run) => run.bytes, first, first + mergeRunsMin);
  const cheapest = starts.reduce((best, first) => (cost(first) < cost(best) ? first : best));
  return { first: cheapest, end: cheapest + mergeRunsMin };
}

export const weigh = ({ description, footer }: Run): RunWeight => ({ ...description, ...footer });

/** Merges adjacent runs of the set into one that replaces them. */
export async function mergeRuns(set: RunSet, runs: readonly Run[], signal: AbortSignal): Promise<void> {
  for (const run of runs) run.retain();
  try {
    const options = { range: makePrefixRange(''), reverse: false, expect: 'all' } as const;
    const cursors = await Promise.all(runs.map((run) => RunCursor.open(run, options)));
    const by = await set.write({
      rows: await Merge.open(cursors),
      filterEntriesMax: runs.reduce((sum, run) => sum + run.footer.filterEntries, 0),
      keepDeletions: runs.at(-1) !== set.newestFirst.at(-1),
      signal,
    });
    await set.replace({ old: runs, by, position: set.position });
  } finally {
    for (const run of runs) run.release();
  }
}

import type { Position } from '#journal';

/**
 * The snapshots that can be dropped when there are many: those kept are close together near the newest and further
 * apart towards the past, at most two for each doubling of the distance. So an object that is always busy keeps a few
 * dozen of them, and a restore still starts within a constant factor of its target's distance from now.
 */
export function superfluousSnapshots(snapshots: readonly Position[]): Position[] {
  const newest = snapshots.at(-1);
  if (newest === undefined) return [];
  const byDistance = new Map<number, Position[]>();
  for (const position of snapshots) {
    const doubling = Math.floor(Math.log2(newest - position + 1));
    byDistance.set(doubling, [...(byDistance.get(doubling) ?? []), position]);
  }
  return [...byDistance.values()].flatMap((group) => group.slice(1, -1));
}

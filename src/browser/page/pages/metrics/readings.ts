/** Readings of the program's metrics, and the displayed numbers, computed from two of them. */
import type { Result } from '#client';

export type Metric = Result<'metrics.list'>[number];

export interface Reading {
  readonly atMs: number;
  readonly metrics: ReadonlyMap<string, Metric>;
}

export function createReading(metrics: readonly Metric[], atMs: number): Reading {
  return { atMs, metrics: new Map(metrics.map((metric) => [metric.name, metric])) };
}

/** The sum of all series of a family; undefined if the program lacks it, for example without an edge. */
export function getTotal({ metrics }: Reading, name: string): number | undefined {
  const points = metrics.get(name)?.points ?? [];
  return points.length === 0 ? undefined : points.reduce((sum, { value = 0 }) => sum + value, 0);
}

/** How much a counter grew per second between two readings. It restarts at 0 with the program. */
export function computeRate(before: Reading, after: Reading, name: string): number | undefined {
  const [from, to] = [getTotal(before, name), getTotal(after, name)];
  const seconds = (after.atMs - before.atMs) / 1000;
  if (from === undefined || to === undefined || to < from || seconds <= 0) return undefined;
  return (to - from) / seconds;
}

/** The mean of a histogram's observations between two readings; undefined if there are none. */
export function computeMean(before: Reading, after: Reading, name: string): number | undefined {
  const [from, to] = [addDistributions(before, name), addDistributions(after, name)];
  const count = to.count - from.count;
  return count > 0 ? (to.sum - from.sum) / count : undefined;
}

function addDistributions({ metrics }: Reading, name: string): { count: number; sum: number } {
  const total = { count: 0, sum: 0 };
  for (const { distribution } of metrics.get(name)?.points ?? []) {
    if (distribution === undefined) continue;
    total.sum += distribution.sum;
    total.count += distribution.counts.reduce((sum, each) => sum + each, 0);
  }
  return total;
}

/** Families of several processes combined: series with the same labels are added up. */
import { Distribution } from '#base';
import type { Metric, MetricData, Point } from './metric.ts';

/** Families that every process reports with the same value. */
const sameEverywhere: ReadonlySet<string> = new Set(['gatehouse_edge_zones', 'gatehouse_edge_zones_loaded']);

/** A copy that can be sent to another process. */
export function copyFamilies(metrics: readonly Metric[]): readonly MetricData[] {
  return metrics.map((metric) => {
    const data = metric.read();
    return { ...data, points: data.points.map(({ labels, value }) => ({ labels, value: copyValue(value) })) };
  });
}

function copyValue(value: Point['value']): Point['value'] {
  if (typeof value === 'number') return value;
  const copy = new Distribution(value.bounds);
  copy.counts.set(value.counts);
  copy.sum = value.sum;
  return copy;
}

/** Families with the same name become one; the order is that of the first of each name. */
export function sumFamilies(families: Iterable<MetricData>): MetricData[] {
  const byName = new Map<string, { readonly data: MetricData; readonly points: Map<string, Point> }>();
  for (const data of families) {
    const known = byName.get(data.name);
    const sum = known ?? { data, points: new Map<string, Point>() };
    if (known === undefined) byName.set(data.name, sum);
    for (const point of data.points) addPoint(sum.points, point, sameEverywhere.has(data.name));
  }
  return Array.from(byName.values(), ({ data, points }) => ({ ...data, points: [...points.values()] }));
}

/** The part of an ended process's metrics that is kept: its counters. Its gauges ended with it. */
export function keepCounts(families: readonly MetricData[]): MetricData[] {
  return families.filter(({ type }) => type !== 'gauge');
}

/** Metrics with the same name become one that reads and adds them all. */
export function sumSameNames(metrics: readonly Metric[]): readonly Metric[] {
  const byName = Map.groupBy(metrics, ({ name }) => name);
  return Array.from(byName, ([name, same]) =>
    same.length === 1 ? same[0]! : { name, read: () => sumFamilies(same.map((each) => each.read()))[0]! },
  );
}

function addPoint(points: Map<string, Point>, { labels, value }: Point, isSame: boolean): void {
  const key = JSON.stringify(labels);
  const before = points.get(key)?.value;
  points.set(key, { labels, value: addValues(before, value, isSame) });
}

function addValues(
  before: Point['value'] | undefined,
  value: Point['value'],
  isSame: boolean,
): Point['value'] {
  if (typeof value === 'number') {
    if (typeof before !== 'number') return value;
    return isSame ? Math.max(before, value) : before + value;
  }
  const sum = new Distribution(value.bounds);
  for (const each of [before, value]) {
    if (each === undefined || typeof each === 'number') continue;
    each.counts.forEach((count, index) => (sum.counts[index]! += count));
    sum.sum += each.sum;
  }
  return sum;
}

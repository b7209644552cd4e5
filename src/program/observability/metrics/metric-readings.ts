/** Metrics in the form of the API. */
import type { MetricReading } from '#control';
import type { Metric, Point } from '#metrics';

export function readMetrics(metrics: readonly Metric[]): readonly MetricReading[] {
  return metrics
    .map((metric) => metric.read())
    .map(({ name, help, type, points }) => ({ name, help, type, points: points.map(toPoint) }));
}

function toPoint({ labels, value }: Point): MetricReading['points'][number] {
  if (typeof value === 'number') return { labels, value };
  const { bounds, counts, sum } = value;
  return { labels, distribution: { bounds, counts: [...counts], sum } };
}

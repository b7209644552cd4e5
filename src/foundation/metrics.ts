/**
 * Metrics: counted where something happens, read on request, summed over processes.
 *
 * ```ts
 * const blocked = new Counter('gatehouse_requests_blocked_total', 'Requests that a rule stopped.');
 * blocked.add(1);
 * writePrometheus([blocked.read()]);  // the text of /metrics
 * ```
 */
export {
  Count,
  Counter,
  Histogram,
  type Labels,
  type Metric,
  type MetricData,
  type Point,
  Reading,
  type ReadMetrics,
  writePrometheus,
} from './metrics/metric.ts';
export { readFamilies } from './metrics/read-families.ts';
export { copyFamilies, keepCounts, sumFamilies, sumSameNames } from './metrics/summed-metrics.ts';

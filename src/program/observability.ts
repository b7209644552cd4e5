/**
 * The program's own output about its work: metrics, traces, and the access log of the edge.
 *
 * ```ts
 * const blocked = new Counter('gatehouse_requests_blocked_total', 'Requests that a rule stopped.');
 * blocked.add(1);
 * writePrometheus(await readMetrics([blocked]));  // the text of /metrics
 * ```
 *
 * Nothing here delays a request: if a collector or a disk does not keep up, lines and spans are dropped, and counted.
 */
export { AccessLog, findAccessLogFile, openSink } from './observability/access-log/access-log.ts';
export type { LineSink } from './observability/access-log/line-sink.ts';
export { SerialSink } from './observability/access-log/serial-sink.ts';
export { createDiskMetrics } from './observability/metrics/disk-metrics.ts';
export { createEdgeMetrics, createHealthMetric } from './observability/metrics/edge-metrics.ts';
export { HostMetrics } from './observability/metrics/host-metrics.ts';
export { readMetrics } from './observability/metrics/metric-readings.ts';
export { createProcessMetrics } from './observability/metrics/process-metrics.ts';
export { RequestMetrics } from './observability/metrics/request-metrics.ts';
export { type NamedEnd, RuleEnds } from './observability/metrics/rule-ends.ts';
export { createStoreMetrics } from './observability/metrics/store-metrics.ts';
export { EdgeTrace } from './observability/telemetry/edge-trace.ts';
export { Telemetry } from './observability/telemetry/telemetry.ts';
export type { Tracer } from './observability/telemetry/tracer.ts';

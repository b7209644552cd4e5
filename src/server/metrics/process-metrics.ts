/** Metrics of the process. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Labels, type Metric, Reading } from './metric.ts';

export function createProcessMetrics(version: string): Metric[] {
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
  lag.enable();
  const startSeconds = Date.now() / 1_000 - process.uptime();
  return [
    new Reading('gatehouse_build_info', 'Always 1; the labels describe the running version.', () => [
      [{ version, node: process.versions.node }, 1],
    ]),
    new Reading('process_start_time_seconds', 'When the process started.', () => startSeconds),
    new Reading('process_cpu_seconds_total', 'CPU time used.', readCpuSeconds, 'counter'),
    new Reading('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()),
    new Reading('gatehouse_heap_bytes', 'Memory of the JavaScript heap, and outside of it.', readHeapBytes),
    new Reading('gatehouse_event_loop_lag_seconds', 'How late timers were, since the last scrape.', () => {
      const series = quantiles.map(([quantile, percent]): readonly [Labels, number] => [
        { quantile },
        // The histogram measures whole intervals, including the resolution.
        Math.max(0, lag.percentile(percent) / 1e9 - lagResolutionMs / 1e3),
      ]);
      lag.reset();
      return series;
    }),
  ];
}

const lagResolutionMs = 20;
const quantiles = [
  ['0.5', 50],
  ['0.99', 99],
  ['1', 100],
] as const;

function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function readHeapBytes(): (readonly [Labels, number])[] {
  const { heapUsed, heapTotal, external } = process.memoryUsage();
  return [
    [{ kind: 'used' }, heapUsed],
    [{ kind: 'total' }, heapTotal],
    [{ kind: 'external' }, external],
  ];
}

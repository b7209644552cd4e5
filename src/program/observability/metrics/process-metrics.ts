/** Metrics of the process. */
import { EventLoopLag } from './event-loop-lag.ts';
import { type Labels, type Metric, Reading } from '#metrics';

export function createProcessMetrics(version: string): Metric[] {
  const lag = new EventLoopLag();
  const startSeconds = Date.now() / 1_000 - process.uptime();
  return [
    new Reading('gatehouse_build_info', 'Always 1; the labels describe the running version.', () => [
      [{ version, node: process.versions.node }, 1],
    ]),
    new Reading('process_start_time_seconds', 'Start time of the process.', () => startSeconds),
    new Reading('process_cpu_seconds_total', 'CPU time used.', readCpuSeconds, 'counter'),
    new Reading('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()),
    new Reading('gatehouse_heap_bytes', 'JavaScript memory, on and off the heap.', readHeapBytes),
    new Reading('gatehouse_event_loop_lag_seconds', 'Delay of timers, over the last minute or more.', () =>
      lag.read().map(([quantile, seconds]): readonly [Labels, number] => [{ quantile }, seconds]),
    ),
  ];
}

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

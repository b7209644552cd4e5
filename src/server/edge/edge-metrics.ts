/** What the edge does, in numbers. */
import type { EdgeStats } from '#edge';
import { Gauge, type Metric } from '../metrics/metric.ts';

/** `read` answers nothing while there is no edge. */
export function edgeMetrics(read: () => EdgeStats | undefined): readonly Metric[] {
  const gauge = (name: string, help: string, value: (stats: EdgeStats) => number): Metric =>
    new Gauge(name, help, () => numbersOf(read(), (stats) => [[{}, value(stats)]]));
  return [
    gauge('gatehouse_edge_zones', 'Zones that the edge serves.', ({ zones }) => zones),
    gauge('gatehouse_edge_connections', 'Open connections of clients.', ({ proxy }) => proxy.connections),
    gauge('gatehouse_edge_requests_in_flight', 'Requests under way.', ({ proxy }) => proxy.requests),
    gauge(
      'gatehouse_edge_origin_connections',
      'Open connections to origins.',
      ({ proxy }) => proxy.originConnections,
    ),
    new Gauge(
      'gatehouse_edge_requests_total',
      'Requests by what became of them.',
      () =>
        numbersOf(read(), ({ verdicts }) =>
          Object.entries(verdicts).map(([verdict, count]) => [{ verdict }, count] as const),
        ),
      'counter',
    ),
    new Gauge(
      'gatehouse_edge_refusals_total',
      'Requests that the wire refused, or answered in place of an origin, by reason.',
      () =>
        numbersOf(read(), ({ proxy }) =>
          Object.entries(proxy.refusals).map(([code, count]) => [{ code }, count] as const),
        ),
      'counter',
    ),
    new Gauge(
      'gatehouse_edge_connections_dropped_total',
      'Connections turned away by a limit.',
      () => numbersOf(read(), ({ proxy }) => [[{}, proxy.connectionsDropped]]),
      'counter',
    ),
    new Gauge(
      'gatehouse_edge_events_total',
      'Events of the activity log, by what became of them.',
      () =>
        numbersOf(read(), ({ events: { written, dropped } }) => [
          [{ state: 'written' }, written],
          [{ state: 'dropped' }, dropped],
        ]),
      'counter',
    ),
    gauge('gatehouse_edge_events_queued', 'Events that wait to be written.', ({ events }) => events.queued),
  ];
}

type Numbers = Iterable<readonly [Readonly<Record<string, string>>, number]>;

function numbersOf(stats: EdgeStats | undefined, numbers: (stats: EdgeStats) => Numbers): Numbers {
  return stats === undefined ? [] : numbers(stats);
}

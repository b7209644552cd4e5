/** Metrics of the edge. */
import type { EdgeStats, OriginReport } from '#edge';
import { type Metric, Reading } from '#metrics';

/** The metric of the process that checks the origins: one for all workers. */
export function createHealthMetric(
  read: () => readonly Pick<OriginReport, 'pool' | 'origin' | 'isHealthy'>[],
): Metric {
  return new Reading('gatehouse_pool_origin_healthy', 'Whether an origin of a pool gets requests.', () =>
    read().map(({ pool, origin, isHealthy }) => [{ pool, origin }, Number(isHealthy)] as const),
  );
}

function createPoolMetric(read: () => EdgeStats | undefined): Metric {
  return new Reading(
    'gatehouse_pool_requests_total',
    'Requests sent to origins of pools, by outcome.',
    () =>
      listNumbers(read(), ({ pools }) =>
        pools.flatMap(({ pool, origin, requests, failures }) => [
          [{ pool, origin, outcome: 'answered' }, requests - failures] as const,
          [{ pool, origin, outcome: 'failed' }, failures] as const,
        ]),
      ),
    'counter',
  );
}

/** `read` returns undefined while there is no edge. */
export function createEdgeMetrics(read: () => EdgeStats | undefined): readonly Metric[] {
  const createReading = (name: string, help: string, value: (stats: EdgeStats) => number): Metric =>
    new Reading(name, help, () => listNumbers(read(), (stats) => [[{}, value(stats)]]));
  return [
    createReading('gatehouse_edge_zones', 'Zones that the edge serves.', ({ zones }) => zones),
    createReading(
      'gatehouse_edge_zones_loaded',
      'Zones whose rules are in memory.',
      ({ zonesLoaded }) => zonesLoaded,
    ),
    createReading('gatehouse_edge_connections', 'Open client connections.', ({ proxy }) => proxy.connections),
    new Reading(
      'gatehouse_edge_connections_total',
      'Client connections accepted.',
      () => listNumbers(read(), ({ proxy }) => [[{}, proxy.connectionsAccepted]]),
      'counter',
    ),
    createReading(
      'gatehouse_edge_requests_in_flight',
      'Requests in progress.',
      ({ proxy }) => proxy.requests,
    ),
    createReading(
      'gatehouse_edge_upload_bytes',
      'Disk space used by forms with files until rules have judged them.',
      ({ proxy }) => proxy.uploadBytes,
    ),
    createReading(
      'gatehouse_edge_origin_connections',
      'Open connections to origins.',
      ({ proxy }) => proxy.originConnections,
    ),
    new Reading(
      'gatehouse_edge_requests_total',
      'Requests by outcome.',
      () =>
        listNumbers(read(), ({ verdicts }) =>
          Object.entries(verdicts).map(([verdict, count]) => [{ verdict }, count] as const),
        ),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_refusals_total',
      'Requests that the edge refused, or answered instead of an origin, by reason.',
      () =>
        listNumbers(read(), ({ proxy }) =>
          Object.entries(proxy.refusals).map(([code, count]) => [{ code }, count] as const),
        ),
      'counter',
    ),
    createPoolMetric(read),
    ...createConnectionMetrics(read),
    ...createJudgingMetrics(read),
    ...createEventMetrics(read),
  ];
}

function createConnectionMetrics(read: () => EdgeStats | undefined): readonly Metric[] {
  return [
    new Reading(
      'gatehouse_edge_connections_dropped_total',
      'Connections refused by a limit.',
      () => listNumbers(read(), ({ proxy }) => [[{}, proxy.connectionsDropped]]),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_connections_evicted_total',
      'Connections closed in favour of newer ones, because they had been idle the longest.',
      () => listNumbers(read(), ({ proxy }) => [[{}, proxy.connectionsEvicted]]),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_proxy_headers_refused_total',
      'Connections closed because they lacked the required PROXY protocol header.',
      () => listNumbers(read(), ({ proxy }) => [[{}, proxy.proxyHeadersRefused]]),
      'counter',
    ),
    new Reading('gatehouse_edge_http2_connections', 'Open client connections that use HTTP/2.', () =>
      listNumbers(read(), ({ proxy }) => [[{}, proxy.http2Connections]]),
    ),
    new Reading(
      'gatehouse_edge_http2_limits_total',
      'HTTP/2 connections, streams and requests that exceeded a limit or violated the protocol, by limit.',
      () =>
        listNumbers(read(), ({ proxy }) =>
          Object.entries(proxy.http2Limits).map(([limit, count]) => [{ limit }, count] as const),
        ),
      'counter',
    ),
  ];
}

function createJudgingMetrics(read: () => EdgeStats | undefined): readonly Metric[] {
  return [
    new Reading('gatehouse_pattern_table_bytes', 'Memory of the tables of all rule patterns, in bytes.', () =>
      listNumbers(read(), ({ patternTables }) => [[{}, patternTables.bytes]]),
    ),
    new Reading(
      'gatehouse_pattern_table_evictions_total',
      'Pattern tables that were evicted to make room for others.',
      () => listNumbers(read(), ({ patternTables }) => [[{}, patternTables.evictions]]),
      'counter',
    ),
    new Reading('gatehouse_edge_rate_keys', 'Keys whose requests are counted for rate limits.', () =>
      listNumbers(read(), ({ rates }) => [[{}, rates.keys]]),
    ),
    new Reading(
      'gatehouse_edge_rate_keys_forgotten_total',
      'Keys that were evicted because there were too many.',
      () => listNumbers(read(), ({ rates }) => [[{}, rates.forgotten]]),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_rate_unshared_total',
      'Requests not reported to other edge processes, because there were too many keys.',
      () => listNumbers(read(), ({ rates }) => [[{}, rates.unshared]]),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_questions_total',
      'Queries of rules to objects and servers about visitors, by outcome.',
      () =>
        listNumbers(read(), ({ questions }) =>
          Object.entries(questions).map(([outcome, count]) => [{ outcome }, count] as const),
        ),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_judging_exhausted_total',
      'Requests whose judging exceeded the step limit, by zone.',
      () =>
        listNumbers(read(), ({ judging }) =>
          Object.entries(judging.exhausted).map(([zone, count]) => [{ zone }, count] as const),
        ),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_judging_delayed_total',
      'Requests whose judging waited: for their turn behind others; because their zone had used up its share; or for the thread for slow requests.',
      () =>
        listNumbers(read(), ({ judging: { delayed, heldBack, inThread } }) => [
          [{ reason: 'turn' }, delayed - heldBack],
          [{ reason: 'share' }, heldBack],
          [{ reason: 'thread' }, inThread],
        ]),
      'counter',
    ),
  ];
}

function createEventMetrics(read: () => EdgeStats | undefined): readonly Metric[] {
  return [
    new Reading(
      'gatehouse_edge_events_total',
      'Events of the activity log, by outcome.',
      () =>
        listNumbers(read(), ({ events: { written, dropped } }) => [
          [{ state: 'written' }, written],
          [{ state: 'dropped' }, dropped],
        ]),
      'counter',
    ),
    new Reading('gatehouse_edge_events_queued', 'Events waiting to be written.', () =>
      listNumbers(read(), ({ events }) => [[{}, events.queued]]),
    ),
  ];
}

type Numbers = Iterable<readonly [Readonly<Record<string, string>>, number]>;

function listNumbers(stats: EdgeStats | undefined, numbers: (stats: EdgeStats) => Numbers): Numbers {
  return stats === undefined ? [] : numbers(stats);
}

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
    'Requests that were sent to origins of pools, by what became of them.',
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
    createReading(
      'gatehouse_edge_connections',
      'Open connections of clients.',
      ({ proxy }) => proxy.connections,
    ),
    new Reading(
      'gatehouse_edge_connections_total',
      'Connections of clients that were accepted.',
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
      'What forms with files take on disk until rules have judged them.',
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
      'Connections closed in favour of newer ones, because they had waited longest for their client.',
      () => listNumbers(read(), ({ proxy }) => [[{}, proxy.connectionsEvicted]]),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_proxy_headers_refused_total',
      'Connections closed because they had to begin with a header of the PROXY protocol, and did not.',
      () => listNumbers(read(), ({ proxy }) => [[{}, proxy.proxyHeadersRefused]]),
      'counter',
    ),
    new Reading('gatehouse_edge_http2_connections', 'Open connections of clients that speak HTTP/2.', () =>
      listNumbers(read(), ({ proxy }) => [[{}, proxy.http2Connections]]),
    ),
    new Reading(
      'gatehouse_edge_http2_limits_total',
      'Connections, streams and requests of HTTP/2 that exceeded a limit or broke the protocol, by limit.',
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
    new Reading(
      'gatehouse_pattern_table_bytes',
      'What the tables of all patterns of rules hold, in bytes.',
      () => listNumbers(read(), ({ patternTables }) => [[{}, patternTables.bytes]]),
    ),
    new Reading(
      'gatehouse_pattern_table_evictions_total',
      'Tables of patterns that were dropped because others needed the room.',
      () => listNumbers(read(), ({ patternTables }) => [[{}, patternTables.evictions]]),
      'counter',
    ),
    new Reading('gatehouse_edge_rate_keys', 'Keys whose requests are counted for limits of rates.', () =>
      listNumbers(read(), ({ rates }) => [[{}, rates.keys]]),
    ),
    new Reading(
      'gatehouse_edge_rate_keys_forgotten_total',
      'Keys that were forgotten because there were too many.',
      () => listNumbers(read(), ({ rates }) => [[{}, rates.forgotten]]),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_rate_unshared_total',
      'Requests that other processes of the edge were not told of, because there were too many keys.',
      () => listNumbers(read(), ({ rates }) => [[{}, rates.unshared]]),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_questions_total',
      'Questions of rules to objects and servers about visitors, by what came of them.',
      () =>
        listNumbers(read(), ({ questions }) =>
          Object.entries(questions).map(([outcome, count]) => [{ outcome }, count] as const),
        ),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_judging_exhausted_total',
      'Requests that took more steps of judging than one may, by zone.',
      () =>
        listNumbers(read(), ({ judging }) =>
          Object.entries(judging.exhausted).map(([zone, count]) => [{ zone }, count] as const),
        ),
      'counter',
    ),
    new Reading(
      'gatehouse_edge_judging_delayed_total',
      'Requests whose judging waited: for a turn, because others came first; because their zone had used up its share; or for the thread of requests that take long.',
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

/**
 * Observes each request at the edge: metrics, a line of the access log, spans, and a warning for the operator if the
 * address of an origin is not allowed.
 */
import { BoundedMap, type Log } from '#base';
import type { EdgeObserver, GeoDatabase, IncomingRequest, RequestRecord } from '#edge';
import { type Metric, Reading } from '#metrics';
import { AccessLog, EdgeTrace, type LineSink, RequestMetrics, type Tracer } from '#observability';
import type { Config } from '../config/read-config.ts';
import type { EdgeReports } from './edge-reports.ts';
import { RequestReporter } from './request-reporter.ts';
import { TrafficReporter } from './traffic-reporter.ts';

interface OpenOptions {
  readonly config: Config;
  readonly log: Log;
  readonly tracer: Tracer | undefined;
  /** Receives the lines of the access log instead of the configured file. */
  readonly sink?: LineSink | 'none';
  readonly reports: Pick<EdgeReports, 'sendTraffic' | 'sendRequests'>;
  readonly geo: GeoDatabase;
}

interface ObservationOptions extends Omit<OpenOptions, 'config' | 'sink'> {
  readonly zonesMax: number;
  readonly accessLog: AccessLog | undefined;
}

/** Between two warnings about the origin of one zone. */
const warningMs = 60_000;
const warnedZonesMax = 1_000;

export class EdgeObservation implements EdgeObserver {
  readonly metrics: readonly Metric[];
  readonly recordedBodyBytesMax: number;
  readonly #requests: RequestMetrics;
  readonly #traffic: TrafficReporter;
  readonly #pushed: RequestReporter;
  readonly #log: Log;
  readonly #accessLog: AccessLog | undefined;
  readonly #tracer: Tracer | undefined;
  /** When each zone was last warned about. */
  readonly #warnedAtMs = new BoundedMap<string, number>(warnedZonesMax);

  constructor({ zonesMax, log, accessLog, tracer, reports, geo }: ObservationOptions) {
    this.#requests = new RequestMetrics({ zonesMax });
    this.#traffic = new TrafficReporter({
      send: (batch) => reports.sendTraffic(batch),
      onError: (error) => log.warn('could not report the number of requests; trying again', { error }),
    });
    this.#pushed = new RequestReporter({
      send: (requests) => reports.sendRequests(requests),
      geo,
      onError: (error) =>
        log.warn('could not send requests for Logpush to the program; they are dropped', { error }),
    });
    this.#log = log;
    this.#accessLog = accessLog;
    this.recordedBodyBytesMax = accessLog?.bodyBytesMax ?? 0;
    this.#tracer = tracer;
    this.metrics = [
      ...this.#requests.metrics,
      ...createAccessLogMetrics(accessLog),
      new Reading(
        'gatehouse_edge_logpush_dropped_total',
        'Requests that were dropped instead of passed to Logpush because the program was too slow.',
        () => this.#pushed.dropped,
        'counter',
      ),
    ];
  }

  /** Opens the access log of the settings. */
  static async open({ config, sink, ...rest }: OpenOptions): Promise<EdgeObservation> {
    const { log } = rest;
    const accessLog =
      sink === undefined
        ? await AccessLog.open(config.settings, log)
        : sink === 'none'
          ? undefined
          : AccessLog.into(sink, config.settings, log);
    const { edgeMetricsZones: zonesMax } = config.settings;
    return new EdgeObservation({ ...rest, zonesMax, accessLog });
  }

  startTrace(request: IncomingRequest, isPeerTrusted: boolean): EdgeTrace | undefined {
    return this.#tracer?.startEdgeTrace(request, isPeerTrusted);
  }

  /** The zones whose every request is reported. */
  setRequestLogs(zones: readonly string[]): void {
    this.#pushed.setZones(zones);
  }

  reopenLogs(): void {
    this.#accessLog?.reopen();
  }

  /** Reports the counts, and writes the rest of the access log. */
  async close(): Promise<void> {
    await this.#traffic.close();
    await this.#pushed.close();
    await this.#accessLog?.close();
  }

  onRequest(record: RequestRecord): void {
    this.#requests.count(record);
    this.#traffic.count(record);
    this.#pushed.add(record);
    const trace = record.trace instanceof EdgeTrace && record.trace.isSampled ? record.trace : undefined;
    this.#accessLog?.add(record, trace?.traceId);
    if (trace !== undefined) this.#tracer?.endEdgeTrace(trace, record);
    if (record.outcome.refusal === 'origin_forbidden') this.#warnOfOrigin(record);
  }

  onTunnelEnd(bytes: { readonly received: number; readonly sent: number }): void {
    this.#requests.countTunnel(bytes);
  }

  #warnOfOrigin({ id, zone, origin, reason, isPrivateOrigin }: RequestRecord): void {
    const name = zone?.name ?? '';
    const nowMs = Date.now();
    if ((this.#warnedAtMs.get(name) ?? -Infinity) > nowMs - warningMs) return;
    this.#warnedAtMs.set(name, nowMs);
    this.#log.warn('did not connect to the origin of a zone because of its address; clients get 502', {
      zone: name,
      origin: origin?.address,
      request: id,
      reason,
      setting: isPrivateOrigin ? 'allow_private_origins = true would allow it' : undefined,
    });
  }
}

function createAccessLogMetrics(accessLog: AccessLog | undefined): readonly Metric[] {
  return [
    new Reading(
      'gatehouse_edge_access_log_lines_total',
      'Access log lines written, and lines dropped because the log was too slow.',
      () =>
        accessLog && [
          [{ state: 'written' }, accessLog.counts.written],
          [{ state: 'dropped' }, accessLog.counts.dropped],
        ],
      'counter',
    ),
    new Reading(
      'gatehouse_edge_access_log_queued_bytes',
      'Bytes of the access log waiting to be written.',
      () => accessLog?.counts.queuedBytes,
    ),
  ];
}

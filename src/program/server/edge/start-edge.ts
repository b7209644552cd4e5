/** Starts an edge in this process from the settings. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { edgeSocketPath, type Log, otherSockets } from '#base';
import { Edge, type EdgeOptions, HealthBoard, http2StreamsMax, type OriginState } from '#edge';
import type { SharedCount } from '#firewall';
import type { Metric } from '#metrics';
import {
  createEdgeMetrics,
  createHealthMetric,
  type LineSink,
  type NamedEnd,
  type Telemetry,
} from '#observability';
import { LocalAuthority } from '#certificates';
import type { Config } from '../config/read-config.ts';
import type { Settings } from '../config/settings.ts';
import { reportWith } from './health/report-with.ts';
import { RateLink } from './rates/rate-link.ts';
import { EdgeObservation } from './edge-observation.ts';
import { openEdgeSecret } from './edge-secret.ts';
import { bindListeners } from '../listening/bind-listeners.ts';
import { type EdgeUrls, listListeners, type WantedListener, writeUrls } from './served-edge.ts';
import type { EdgeReports } from './edge-reports.ts';
import { createClientCertificates } from './certificates/client-certificates.ts';
import { TrustedNetworks } from './trusted/trusted-networks.ts';
import { GeoFiles } from '../geo/geo-files.ts';
import { ZoneCertificates } from './certificates/zone-certificates.ts';
import { createProofContext } from './certificates/certificate-contexts.ts';

export interface StartEdgeOptions {
  readonly telemetry: Telemetry | undefined;
  readonly config: Config;
  readonly log: Log;
  readonly reports: EdgeReports;
  /** Our own listeners, which cannot be origins. */
  readonly forbidden: readonly Endpoint[];
  /** The sockets of Workers that are origins, by name. */
  readonly workers: Readonly<Record<string, string>>;
  /** Called when an evaluation was stopped by terminating its thread or its process. */
  readonly onJudgingEnd?: (end: NamedEnd) => void;
  /** If it is one of several processes that accept from the same sockets. */
  readonly shared?: SharedParts | undefined;
}

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

interface SharedParts {
  /** Sends the counts of this process to the others, and resolves when they have them. */
  readonly shareRates: (counts: readonly SharedCount[]) => Promise<void>;
  /** Notifies them that an origin of a pool does not answer. */
  readonly onOriginMark: (state: OriginState) => void;
  /** Bound sockets, in the order of `listListeners`. */
  readonly handles: readonly object[];
  /** How many processes share the limits: each gets a part. */
  readonly processes: number;
  /** Receives the lines of the access log; undefined if there is none. */
  readonly sink: LineSink | undefined;
  /** Called before the rules of a zone are compiled; the result is disposed after that. */
  readonly onCompile: () => Disposable;
}

export interface StartedEdge {
  readonly edge: Edge;
  readonly metrics: readonly Metric[];
  /** Reopens the access log under its name. */
  reopenLogs(): void;
  close(options: { readonly graceMs: number }): Promise<void>;
  readonly urls: EdgeUrls;
  /** Accepts from the shared sockets. */
  accept(): Promise<void>;
}

export async function startEdge(options: StartEdgeOptions): Promise<StartedEdge> {
  const { config, log, reports, forbidden, workers, shared } = options;
  const { settings } = config;
  const { edgeSecret, data } = settings;
  const listeners = listListeners(config);
  const authority = listeners.some(({ isSecure }) => isSecure)
    ? LocalAuthority.open(join(data, 'tls'), Date.now(), log.warn)
    : undefined;
  const secret =
    edgeSecret === undefined ? openEdgeSecret(join(data, 'edge.secret'), log.warn) : Buffer.from(edgeSecret);
  const certificates = authority && openCertificates({ authority, secret, settings, log });
  const geo = await GeoFiles.open(settings, log);
  const observer = await openObservation(options, geo);
  const trusted = await TrustedNetworks.open({ settings, log });
  const addresses = { allowPrivate: settings.allowPrivateOrigins, forbidden };
  const host = openHostParts(options, addresses);
  const parts: Omit<EdgeOptions, 'listeners'> = {
    ...(certificates === undefined ? {} : { certificateOf: certificates.of, proofOf: createProofContext }),
    clientCertificate: createClientCertificates(join(data, 'tls')),
    secret,
    geo,
    onCompile: shared?.onCompile,
    ...host.options,
    onRequestLogs: (zones) => observer.setRequestLogs(zones),
    onThreadEnd: createEndLog(options),
    writeEvents: (...events) => reports.writeEvents(...events),
    sendLearned: reportFailures(options),
    observer,
    trustedProxies: trusted.networks,
    proxyProtocol: settings.proxyProtocol,
    addresses,
    workers,
    uploadDirectory: join(data, 'uploads'),
    limits: createLimits(settings, shared?.processes ?? 1),
    onError: (error) => log.error('internal error of the edge', { error }),
  };
  const closeParts = async (): Promise<void> => {
    trusted[Symbol.dispose]();
    geo[Symbol.dispose]();
    host.close();
    await observer.close();
  };
  const edge = await listenAndStart(shared === undefined ? listeners : [], parts).catch(
    async (error: unknown) => {
      await closeParts();
      throw error;
    },
  );
  host.attach(edge);
  trusted.onChange = (networks) => edge.trust(networks);
  if (shared === undefined) await listenToWorkers(edge, workers);
  return {
    edge,
    async accept() {
      await listenToWorkers(edge, workers);
      await edge.listen(listeners.map((each, index) => ({ ...each, handle: shared!.handles[index]! })));
    },
    metrics: listMetrics(edge, observer, host.board),
    reopenLogs: () => observer.reopenLogs(),
    async close(closing) {
      await edge.close(closing);
      await closeParts();
    },
    urls: shared === undefined ? writeUrls(listeners, edge.addresses, authority?.certificateFile) : {},
  };
}

function openObservation(
  { config, log, telemetry, reports, shared }: StartEdgeOptions,
  geo: NonNullable<EdgeOptions['geo']>,
): Promise<EdgeObservation> {
  return EdgeObservation.open({
    config,
    log,
    tracer: telemetry?.tracer,
    reports,
    geo,
    ...(shared === undefined ? {} : { sink: shared.sink ?? 'none' }),
  });
}

interface HostParts {
  readonly board: HealthBoard | undefined;
  /** Notifications of the edge to them. */
  readonly options: Pick<
    EdgeOptions,
    'shareRates' | 'sharingProcesses' | 'isAlone' | 'onOriginMark' | 'onLoadBalancers'
  >;
  /** They are created before the edge, which they need. */
  attach(edge: Edge): void;
  close(): void;
}

/** The parts that a host has once. Of several processes, only the program checks origins and calls other hosts. */
function openHostParts(
  { shared, log, reports }: StartEdgeOptions,
  addresses: EdgeOptions['addresses'],
): HostParts {
  if (shared !== undefined) {
    const { shareRates, processes, onOriginMark } = shared;
    const options = { shareRates, sharingProcesses: processes, onOriginMark };
    return { board: undefined, options, attach() {}, close() {} };
  }
  let edge: Edge | undefined;
  const board = new HealthBoard({
    addresses: addresses ?? {},
    log,
    onStates: (states) => edge?.receiveOriginStates(states),
    onReports: reportWith(reports, log),
  });
  const rates = new RateLink({
    log,
    exchange: (report) => reports.exchangeRates(report),
    hasKeys: () => edge?.hasRateKeys === true,
    listKeys: async () => edge?.listRateKeys() ?? [],
    onCounts: (counts) => edge?.receiveRates(counts),
    onReleased: (keys) => edge?.releaseRates(keys),
  });
  return {
    board,
    options: {
      shareRates: async (counts) => rates.add(counts),
      isAlone: true,
      onOriginMark: (state) => board.mark(state),
      onLoadBalancers: (balancers) => board.update(balancers),
    },
    attach(started) {
      edge = started;
    },
    close() {
      board[Symbol.dispose]();
      rates[Symbol.dispose]();
    },
  };
}

/** Lost values are learned again. Of several consecutive failures, the first is reported. */
function reportFailures({ reports, log }: StartEdgeOptions): EdgeReports['sendLearned'] {
  let isFailing = false;
  return async (zone, batch) => {
    try {
      await reports.sendLearned(zone, batch);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn('could not report what was learned about values; continuing', { zone, error });
      isFailing = true;
    }
  };
}

function createEndLog({ log, onJudgingEnd }: StartEdgeOptions): NonNullable<EdgeOptions['onThreadEnd']> {
  return (end) => {
    log.error('the thread judging a request was ended; other requests are served', { ...end });
    onJudgingEnd?.(end);
  };
}

function listMetrics(
  edge: Edge,
  observer: EdgeObservation,
  board: HealthBoard | undefined,
): readonly Metric[] {
  const health = board === undefined ? [] : [createHealthMetric(() => board.reports)];
  return [...createEdgeMetrics(() => edge.stats()), ...observer.metrics, ...health];
}

/** Uploaded Workers reach the origins of zones through the edge. */
async function listenToWorkers(edge: Edge, workers: StartEdgeOptions['workers']): Promise<void> {
  const folder = workers[otherSockets];
  if (folder === undefined) return;
  const path = edgeSocketPath(folder);
  // Left behind by a killed process with the same id.
  rmSync(path, { force: true });
  await edge.listenToWorkers(path);
}

async function listenAndStart(
  listeners: readonly WantedListener[],
  parts: Omit<EdgeOptions, 'listeners'>,
): Promise<Edge> {
  const sockets = await bindListeners(listeners);
  const listening = listeners.map((each, index) => ({ ...each, handle: sockets[index]!.handle }));
  return await Edge.start({ ...parts, listeners: listening }).catch((error: unknown) => {
    for (const socket of sockets) socket.close();
    throw error;
  });
}

/** A limit on concurrent connections is divided among the processes, rounded up. */
function createLimits(settings: Settings, processes: number): NonNullable<EdgeOptions['limits']> {
  const divide = (max: number): number => Math.ceil(max / processes);
  return {
    inspectionBytesMax: settings.edgeInspectionBytes,
    requestBodyBytesMax: settings.edgeBodyBytes,
    uploadBytesMax: Math.max(
      divide(settings.edgeUploadBytes),
      Math.min(settings.edgeBodyBytes, settings.edgeUploadBytes),
    ),
    connectionsMax: divide(settings.edgeConnections),
    connectionsPerAddressMax: divide(settings.edgeAddressConnections),
    requestsMax: divide(settings.edgeRequests),
    requestsPerZoneMax: divide(settings.edgeZoneRequests),
    // An HTTP/2 connection has all of its streams in one process.
    requestsPerAddressMax: Math.max(
      divide(settings.edgeAddressRequests),
      Math.min(http2StreamsMax, settings.edgeAddressRequests),
    ),
    bodyBytesPerSecondMin: settings.edgeMinimumRate,
  };
}

interface CertificateParts {
  readonly authority: LocalAuthority;
  readonly secret: Uint8Array;
  readonly settings: Settings;
  readonly log: Log;
}

function openCertificates({ authority, secret, settings, log }: CertificateParts): ZoneCertificates {
  return new ZoneCertificates({
    authority,
    secret,
    directory: settings.edgeCertificates,
    onError: (file, error) =>
      log.warn('could not use a certificate; the previous one stays in use', { file, error }),
  });
}

/** Starts an edge from the settings. */
import { join } from 'node:path';
import { Edge, type EdgeListener, type EdgeOptions, openGeoDatabase } from '#edge';
import { createListenError } from '../cannot-listen.ts';
import type { Config } from '../config/read-config.ts';
import type { Settings } from '../config/settings.ts';
import { StartError } from '../data-directory.ts';
import type { Log } from '#base';
import { LocalAuthority } from '../tls/local-authority.ts';
import type { Metric } from '../metrics/metric.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { EdgeObservation } from './edge-observation.ts';
import { openEdgeSecret } from './edge-secret.ts';
import type { TrafficReporterOptions } from './traffic-reporter.ts';
import { ZoneCertificates } from './zone-certificates.ts';

export interface StartEdgeOptions {
  readonly telemetry: Telemetry | undefined;
  readonly config: Config;
  readonly log: Log;
  readonly writeEvents: EdgeOptions['writeEvents'];
  /** Adds up what was counted of requests. */
  readonly sendTraffic: TrafficReporterOptions['send'];
  /** Our own listeners, which no origin may be. */
  readonly forbidden: readonly { readonly address: string; readonly port: number }[];
}

export interface StartedEdge {
  readonly edge: Edge;
  readonly metrics: readonly Metric[];
  /** Continues the access log in the file that now has its name. */
  reopenLogs(): void;
  close(options: { readonly graceMs: number }): Promise<void>;
  /** The URLs of the edge. */
  readonly addresses: { readonly edge?: string; readonly edge_https?: string; readonly ca_file?: string };
}

export function wantsEdge({ edgePort, edgeHttpsPort }: Settings): boolean {
  return edgePort !== 'off' || edgeHttpsPort !== 'off';
}

export async function startEdge({
  config,
  log,
  telemetry,
  writeEvents,
  sendTraffic,
  forbidden,
}: StartEdgeOptions): Promise<StartedEdge> {
  const { settings } = config;
  const { edgeHost: host, edgeHttpsPort, edgeCertificates: directory, edgeSecret, data } = settings;
  const port = choosePort(config);
  const listeners: EdgeListener[] = [];
  if (port !== 'off') listeners.push({ port, host });
  if (edgeHttpsPort !== 'off') listeners.push({ port: edgeHttpsPort, host, isSecure: true });
  const authority = edgeHttpsPort === 'off' ? undefined : LocalAuthority.open(join(data, 'tls'), Date.now());
  const certificates =
    authority &&
    new ZoneCertificates({
      authority,
      directory,
      onError: (file, error) =>
        log.warn('could not use a certificate; the previous one stays in use', { file, error }),
    });
  const geo = await openGeo(settings);
  const observer = await EdgeObservation.open({ config, log, tracer: telemetry?.tracer, sendTraffic });
  const edge = await Edge.start({
    listeners,
    ...(certificates === undefined ? {} : { certificateOf: certificates.of }),
    secret: edgeSecret === undefined ? openEdgeSecret(join(data, 'edge.secret')) : Buffer.from(edgeSecret),
    geo,
    writeEvents,
    observer,
    trustedProxies: settings.trustedProxies,
    addresses: { allowPrivate: settings.allowPrivateOrigins, forbidden },
    limits: {
      inspectionBytesMax: settings.edgeInspectionBytes,
      requestBodyBytesMax: settings.edgeBodyBytes,
      connectionsMax: settings.edgeConnections,
      connectionsPerAddressMax: settings.edgeAddressConnections,
      requestsMax: settings.edgeRequests,
      requestsPerZoneMax: settings.edgeZoneRequests,
      requestsPerAddressMax: settings.edgeAddressRequests,
      bodyBytesPerSecondMin: settings.edgeMinimumRate,
    },
    onError: (error) => log.error('internal error of the edge', { error }),
  }).catch(async (error: NodeJS.ErrnoException & { readonly port?: number }) => {
    await observer.close();
    const { port: refused } = error;
    if (refused === undefined) throw error;
    const setting = refused === port ? 'edgePort' : 'edgeHttpsPort';
    throw createListenError(setting, { host, port: refused }, error);
  });
  const urls = edge.addresses.map(
    ({ port: found }) => `//${host.includes(':') ? `[${host}]` : host}:${found}`,
  );
  const [plain, secure] = port === 'off' ? [undefined, urls[0]] : urls;
  return {
    edge,
    metrics: observer.metrics,
    reopenLogs: () => observer.reopenLogs(),
    async close(options) {
      await edge.close(options);
      await observer.close();
    },
    addresses: {
      ...(plain === undefined ? {} : { edge: `http:${plain}` }),
      ...(secure === undefined ? {} : { edge_https: `https:${secure}`, ca_file: authority!.certificateFile }),
    },
  };
}

/**
 * A user who wants any free port for the API runs several servers on one machine, so the default port of the edge would
 * conflict.
 */
function choosePort({ settings: { port, edgePort }, sources }: Config): number | 'off' {
  return port === 0 && sources.edgePort.kind === 'default' ? 0 : edgePort;
}

async function openGeo({
  geoipCity: city,
  geoipAsn: asn,
}: Settings): Promise<NonNullable<EdgeOptions['geo']>> {
  try {
    return await openGeoDatabase({ city, asn });
  } catch (error) {
    throw new StartError((error as Error).message, { cause: error });
  }
}

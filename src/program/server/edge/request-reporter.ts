/**
 * Reports every request of the zones that push them (Logpush) to the program, in batches. It never delays a request:
 * what exceeds the queue is dropped and counted. Zones without such a job cost one lookup in a set.
 */
import { BatchQueue } from '#base';
import { showText } from '#text';
import type { GeoDatabase, HeaderField, RequestRecord } from '#edge';
import type { LogRecord } from '#logpush';
import type { ServedRequests } from './edge-reports.ts';

interface RequestReporterOptions {
  /** Resolves when the program has them. */
  readonly send: (requests: ServedRequests) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly geo: GeoDatabase;
}

/** Requests that wait for the program, at most a few kilobytes each. */
const heldMax = 20_000;
const batchMax = 1_000;
const gatherMs = 100;
const pauseMs = 1_000;
const closeMs = 2_000;

/** The length of a text that a client sends. */
const textMax = 8_192;

export class RequestReporter {
  readonly #options: RequestReporterOptions;
  readonly #queue: BatchQueue<readonly [zoneId: string, record: LogRecord]>;
  #zones: ReadonlySet<string> = new Set();
  #dropped = 0;

  constructor(options: RequestReporterOptions) {
    this.#options = options;
    this.#queue = new BatchQueue({
      send: (batch) => options.send(gatherByZone(batch)),
      onLost: (batch, error) => {
        this.#dropped += batch.length;
        options.onError(error);
      },
      heldMax,
      batchMax,
      delay: gatherMs,
      pauseMs,
    });
  }

  get dropped(): number {
    return this.#dropped;
  }

  setZones(zones: readonly string[]): void {
    this.#zones = new Set(zones);
  }

  add(record: RequestRecord): void {
    const { zone, request } = record;
    if (zone === undefined || request === undefined || !this.#zones.has(zone.id)) return;
    if (!this.#queue.add([zone.id, this.#describe(record, request, zone.name)])) this.#dropped++;
  }

  async close(): Promise<void> {
    await this.#queue.close(closeMs);
  }

  #describe(record: RequestRecord, request: NonNullable<RequestRecord['request']>, zone: string): LogRecord {
    const { outcome, origin, receivedAtMs, endMs, firstByteMs } = record;
    const { target, connection, headers } = request;
    const geo = this.#options.geo.find(request.clientAddress);
    const question = target.indexOf('?');
    const isStopped = record.verdict === 'blocked' || record.verdict === 'challenged';
    return {
      ClientASN: geo.asn ?? 0,
      ClientCountry: geo.country.toLowerCase(),
      ClientIP: request.clientAddress,
      ClientRequestBytes: record.receivedBytes,
      ClientRequestHost: request.host,
      ClientRequestMethod: request.method,
      ClientRequestPath: toText(question < 0 ? target : target.slice(0, question)),
      ClientRequestProtocol: `HTTP/${request.httpVersion}`,
      ClientRequestReferer: readField(headers, 'referer'),
      ClientRequestScheme: request.isSecure ? 'https' : 'http',
      ClientRequestURI: toText(target),
      ClientRequestUserAgent: readField(headers, 'user-agent'),
      ClientSSLCipher: connection.tls?.cipher ?? 'NONE',
      ClientSSLProtocol: connection.tls?.version ?? 'none',
      ClientSrcPort: connection.clientPort,
      EdgeEndTimestamp: receivedAtMs + Math.round(endMs),
      EdgeResponseBodyBytes: record.sentBodyBytes,
      EdgeResponseBytes: record.sentBytes,
      EdgeResponseStatus: outcome.edgeStatus,
      EdgeServerIP: connection.serverAddress,
      EdgeStartTimestamp: receivedAtMs,
      EdgeTimeToFirstByteMs: Math.round(firstByteMs ?? 0),
      OriginIP: origin?.address ?? '',
      OriginResponseDurationMs: Math.round((origin?.responseMs ?? 0) - (origin?.requestMs ?? 0)),
      OriginResponseStatus: outcome.originStatus ?? 0,
      RayID: record.id,
      SecurityAction: isStopped ? (record.verdict === 'blocked' ? 'block' : 'challenge') : '',
      SecurityRuleID: record.ruleId ?? '',
      ZoneName: zone,
    };
  }
}

function gatherByZone(batch: readonly (readonly [string, LogRecord])[]): ServedRequests {
  const zones: Record<string, LogRecord[]> = {};
  for (const [zoneId, record] of batch) (zones[zoneId] ??= []).push(record);
  return zones;
}

function readField(headers: readonly HeaderField[], wanted: string): string {
  return toText(
    headers.find(([name]) => name.length === wanted.length && name.toLowerCase() === wanted)?.[1] ?? '',
  );
}

function toText(bytes: string): string {
  return showText(bytes.slice(0, textMax));
}

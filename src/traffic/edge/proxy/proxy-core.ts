/** The state that all connections of one proxy share. */
import { randomBytes } from 'node:crypto';
import type { IpSet } from '#addresses';
import type { Clock } from '#base';
import { type Http2Limit, http2Limits } from '#http2';
import type { IncomingRequest, Judge } from '../wire/exchange.ts';
import type { WireLimits, WireTimeouts } from '../wire/limits.ts';
import { type EdgeObserver, noObserver, type RequestRecord } from '../observation/edge-observer.ts';
import type { Refusal, RefusalCode } from '../wire/refusal.ts';
import { RequestIds } from '../wire/request-id.ts';
import type { AddressPolicy } from './origin/address-policy.ts';
import type { ClientCertificate } from './origin/open-origin-socket.ts';
import { Admission } from './admission/admission.ts';
import { Uploads } from './uploads/uploads.ts';
import { OriginPools } from './origin-pools.ts';
import { JudgingBatch } from './judging-batch.ts';
import { Watchdog } from './watchdog.ts';

/** A refusal by the wire, with the request as far as it was parsed. */
export interface RefusedRequest {
  readonly id: string;
  readonly refusal: Refusal;
  readonly peerAddress: string;
  /** Undefined if its head could not be parsed. */
  readonly request: IncomingRequest | undefined;
}

export interface CoreOptions {
  readonly judge: Judge;
  readonly limits: WireLimits;
  readonly timeouts: WireTimeouts;
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  readonly workers: Readonly<Record<string, string>>;
  readonly clientCertificate: ClientCertificate | undefined;
  readonly trustedProxies: IpSet;
  readonly requestIdHeader: string;
  readonly processName: string | undefined;
  readonly onRefusal: (refused: RefusedRequest) => void;
  readonly observer: EdgeObserver;
  readonly onError: (error: unknown) => void;
  readonly uploadDirectory: string | undefined;
}

export class ProxyCore {
  readonly judge: Judge;
  readonly limits: WireLimits;
  readonly timeouts: WireTimeouts;
  readonly watchdog: Watchdog;
  readonly pools: OriginPools;
  readonly admission: Admission;
  readonly batch = new JudgingBatch();
  readonly uploads: Uploads;
  /** Replaced when the list that it is built from has changed. */
  trustedProxies: IpSet;
  readonly requestIdHeader: string;
  readonly loopToken: string;
  readonly observer: EdgeObserver;
  readonly onError: (error: unknown) => void;
  readonly #ids: RequestIds;
  readonly #onRefusal: (refused: RefusedRequest) => void;
  /** How often each HTTP/2 limit was exceeded: each starts at 0, so that its metric exists from the start. */
  readonly http2Limits = Object.fromEntries(http2Limits.map((limit) => [limit, 0])) as Record<
    Http2Limit,
    number
  >;
  readonly #refusals = new Map<RefusalCode, number>();
  /** Connections close after their current request. */
  isClosing = false;

  constructor(options: CoreOptions) {
    this.judge = options.judge;
    this.limits = options.limits;
    this.timeouts = options.timeouts;
    this.watchdog = new Watchdog(options.clock, Math.min(...Object.values(options.timeouts)));
    this.pools = new OriginPools({ ...options, watchdog: this.watchdog });
    this.admission = new Admission(options.limits);
    this.uploads = new Uploads({
      directory: options.uploadDirectory,
      bytesMax: options.limits.uploadBytesMax,
      now: () => this.watchdog.now(),
    });
    this.trustedProxies = options.trustedProxies;
    this.requestIdHeader = options.requestIdHeader;
    this.loopToken = `gatehouse-${randomBytes(8).toString('hex')}`;
    this.onError = options.onError;
    this.observer = options.observer === noObserver ? noObserver : shield(options.observer, options.onError);
    this.#ids = new RequestIds(options.processName);
    this.#onRefusal = options.onRefusal;
  }

  nextRequestId(nowMs: number): string {
    return this.#ids.next(nowMs);
  }

  noteRefusal(refused: RefusedRequest): void {
    const { code } = refused.refusal;
    this.#refusals.set(code, (this.#refusals.get(code) ?? 0) + 1);
    try {
      this.#onRefusal(refused);
    } catch (error) {
      this.onError(error);
    }
  }

  noteHttp2Limit(limit: Http2Limit): void {
    this.http2Limits[limit]++;
  }

  refusalCounts(): Readonly<Partial<Record<RefusalCode, number>>> {
    return Object.fromEntries(this.#refusals);
  }
}

/** An observer that fails must not fail a request. */
function shield(observer: EdgeObserver, onError: (error: unknown) => void): EdgeObserver {
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      onError(error);
      return undefined;
    }
  };
  return {
    onRequest: (record: RequestRecord) => void attempt(() => observer.onRequest(record)),
    ...(observer.recordedBodyBytesMax === undefined
      ? {}
      : { recordedBodyBytesMax: observer.recordedBodyBytesMax }),
    onTunnelEnd: (bytes) => void attempt(() => observer.onTunnelEnd?.(bytes)),
    ...(observer.startTrace === undefined
      ? {}
      : {
          startTrace: (request, isTrusted) => attempt(() => observer.startTrace!(request, isTrusted)),
        }),
  };
}

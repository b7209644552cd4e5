/**
 * Decides which requests are traced, and creates their spans.
 *
 * A visitor must not decide what is traced, nor join the traces of others: `traceparent` counts only if a trusted proxy
 * sent it (for the API, also a client on this machine); then the proxy's decision counts as well. The origin continues
 * the trace, and receives whether it is recorded.
 */
import type { ApiRequest } from '#contract';
import { IpSet, parseIp, parseNetwork } from '#addresses';
import type { ResponseReport } from '#control';
import type { IncomingRequest, RequestRecord } from '#edge';
import { EdgeTrace } from './edge-trace.ts';
import type { Span } from './span.ts';
import { createSpanId, createTraceId, parseTraceparent, type TraceContext } from './trace-context.ts';

export interface TracerOptions {
  /** The share of the requests that are traced, from 0 to 1. */
  readonly sample: number;
  /** The networks whose `traceparent` is trusted. */
  readonly trustedNetworks: readonly string[];
  readonly onSpan: (span: Span) => void;
  /** From 0 up to 1; `Math.random` by default. */
  readonly random?: () => number;
}

export class Tracer {
  readonly #options: TracerOptions;
  /** The trusted networks for clients of the API. */
  readonly #trusted: IpSet;

  constructor(options: TracerOptions) {
    this.#options = options;
    const networks = [...options.trustedNetworks, ...loopback].map((network) => parseNetwork(network)!);
    this.#trusted = new IpSet(networks);
  }

  startEdgeTrace({ headers }: IncomingRequest, isPeerTrusted: boolean): EdgeTrace {
    const parent = isPeerTrusted ? parseTraceparent(findField(headers, 'traceparent') ?? '') : undefined;
    return new EdgeTrace({
      traceId: parent?.traceId ?? createTraceId(),
      parentSpanId: parent?.spanId,
      isSampled: this.#isSampled(parent),
      dropsState: parent === undefined && findField(headers, 'tracestate') !== undefined,
    });
  }

  endEdgeTrace(trace: EdgeTrace, record: RequestRecord): void {
    for (const span of trace.createSpans(record)) this.#options.onSpan(span);
  }

  traceAnswer({ request, requestId, operation, status, durationMs, refusal }: ResponseReport): void {
    const given = request.headers['traceparent'];
    const isUsed = typeof given === 'string' && this.#isTrusted(request);
    const parent = isUsed ? parseTraceparent(given) : undefined;
    if (!this.#isSampled(parent)) return;
    const endMs = Date.now();
    this.#options.onSpan({
      traceId: parent?.traceId ?? createTraceId(),
      spanId: createSpanId(),
      parentSpanId: parent?.spanId,
      name: operation ?? request.method,
      kind: 'server',
      startMs: endMs - durationMs,
      endMs,
      attributes: {
        'http.request.method': request.method,
        'url.path': request.target.split('?', 1)[0]!.slice(0, pathMax),
        'client.address': request.address,
        'http.response.status_code': status,
        'error.type': refusal,
        'gatehouse.operation': operation,
        'gatehouse.request_id': requestId,
      },
      isError: status >= 500,
    });
  }

  #isSampled(parent: TraceContext | undefined): boolean {
    const { sample, random = Math.random } = this.#options;
    return parent?.isSampled ?? random() < sample;
  }

  #isTrusted({ address }: ApiRequest): boolean {
    const ip = parseIp(address);
    return ip !== undefined && this.#trusted.hasIp(ip);
  }
}

const loopback = ['127.0.0.0/8', '::1'];
const pathMax = 1_024;

function findField(headers: IncomingRequest['headers'], name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1];
}

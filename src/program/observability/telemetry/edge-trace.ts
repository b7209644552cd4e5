/** The trace of one request at the edge, and its spans: the request, its evaluation, and the request to the origin. */
import type { HeaderField, RequestRecord, RequestTrace } from '#edge';
import type { Attributes, Span } from './span.ts';
import { createSpanId, formatTraceparent } from './trace-context.ts';

export interface EdgeTraceParts {
  readonly traceId: string;
  readonly parentSpanId: string | undefined;
  readonly isSampled: boolean;
  /** Whether the client sent a `tracestate` that belongs to another trace. */
  readonly dropsState: boolean;
}

export class EdgeTrace implements RequestTrace {
  readonly traceId: string;
  readonly parentSpanId: string | undefined;
  readonly isSampled: boolean;
  readonly originFields: readonly HeaderField[];
  readonly #originSpanId = createSpanId();

  constructor({ traceId, parentSpanId, isSampled, dropsState }: EdgeTraceParts) {
    this.traceId = traceId;
    this.parentSpanId = parentSpanId;
    this.isSampled = isSampled;
    const traceparent = formatTraceparent({ traceId, spanId: this.#originSpanId, isSampled });
    this.originFields = [['traceparent', traceparent], ...(dropsState ? [emptyState] : [])];
  }

  createSpans(record: RequestRecord): readonly Span[] {
    const { traceId, parentSpanId } = this;
    const { receivedAtMs: startMs, endMs, judgedMs, origin } = record;
    const spanId = createSpanId();
    const request: Span = {
      traceId,
      spanId,
      parentSpanId,
      name: record.request?.method ?? 'HTTP',
      kind: 'server',
      startMs,
      endMs: startMs + endMs,
      attributes: describeRequest(record),
      isError: record.outcome.edgeStatus >= 500,
    };
    const spans = [request];
    const below = { traceId, parentSpanId: spanId };
    if (judgedMs !== undefined) {
      const attributes = {
        'gatehouse.verdict': record.verdict,
        'gatehouse.rule_id': record.ruleId,
      };
      spans.push({
        ...below,
        spanId: createSpanId(),
        name: 'judge',
        kind: 'internal',
        startMs,
        endMs: startMs + judgedMs,
        attributes,
        isError: false,
      });
    }
    if (origin !== undefined) {
      spans.push({
        ...below,
        spanId: this.#originSpanId,
        name: `${request.name} origin`,
        kind: 'client',
        startMs: startMs + (origin.connectStartMs ?? origin.requestMs ?? 0),
        endMs: startMs + endMs,
        attributes: describeOrigin(record),
        isError: record.outcome.originStatus === undefined || record.outcome.originStatus >= 500,
      });
    }
    return spans;
  }
}

/** A field with this value means that there is no state. */
const emptyState: HeaderField = ['tracestate', ''];

const textMax = 1_024;

/** By the semantic conventions of OpenTelemetry. Queries are omitted: they can contain secrets. */
function describeRequest({
  id,
  request,
  zone,
  outcome,
  verdict,
  peerAddress,
  receivedBytes,
  sentBytes,
}: RequestRecord): Attributes {
  return {
    'http.request.method': request?.method,
    'url.scheme': request === undefined ? undefined : request.isSecure ? 'https' : 'http',
    'url.path': request?.target.split('?', 1)[0]!.slice(0, textMax),
    'server.address': request?.host,
    'client.address': request?.clientAddress ?? peerAddress,
    'network.protocol.version': request?.httpVersion,
    'http.response.status_code': outcome.edgeStatus,
    'http.request.size': receivedBytes,
    'http.response.size': sentBytes,
    'error.type': outcome.refusal,
    'gatehouse.request_id': id,
    'gatehouse.verdict': verdict,
    'gatehouse.zone': zone?.name,
  };
}

function describeOrigin({ origin, outcome, reason }: RequestRecord): Attributes {
  const { address, connectStartMs, requestMs, responseMs } = origin!;
  const colon = address.lastIndexOf(':');
  return {
    'server.address': address.slice(0, colon),
    'server.port': Number(address.slice(colon + 1)),
    'http.response.status_code': outcome.originStatus,
    'error.type': outcome.refusal,
    'gatehouse.reason': reason,
    'gatehouse.origin_connect_ms': subtract(requestMs, connectStartMs),
    'gatehouse.origin_first_byte_ms': subtract(responseMs, requestMs),
  };
}

function subtract(end: number | undefined, start: number | undefined): number | undefined {
  return end === undefined || start === undefined ? undefined : end - start;
}

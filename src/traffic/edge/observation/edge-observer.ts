/**
 * What the proxy reports about requests: one record for each request id that a client received, whatever happened to
 * the request. The access log, metrics and traces are built from it. An observer must be fast, because it runs between
 * two requests.
 */
import type { RecordedAnswer } from '#firewall';
import type {
  HeaderField,
  IncomingRequest,
  ExchangeOutcome,
  EdgeDecision,
  ZoneName,
} from '../wire/exchange.ts';

export interface EdgeObserver {
  /** How many bytes of each request body the record contains; none by default. */
  readonly recordedBodyBytesMax?: number;
  /** Called when a head was read. The record contains the returned value. */
  startTrace?(request: IncomingRequest, isPeerTrusted: boolean): RequestTrace | undefined;
  /** Called when a request has ended; for a WebSocket, when the protocols are switched. */
  onRequest(record: RequestRecord): void;
  /** Called when a WebSocket has closed. */
  onTunnelEnd?(bytes: { readonly received: number; readonly sent: number }): void;
}

/** A trace that the origin continues. */
export interface RequestTrace {
  /** Replace the client's fields of the same names. */
  readonly originFields: readonly HeaderField[];
}

/** Times are milliseconds after `receivedAtMs`; undefined if the request did not get that far. */
export interface RequestRecord {
  /** The value of `cf-ray`. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
  readonly peerAddress: string;
  /** Undefined if the head could not be parsed. */
  readonly request: IncomingRequest | undefined;
  readonly zone: ZoneName | undefined;
  /** `refused`: the wire refused the request before it was judged, or its client disconnected. */
  readonly verdict: EdgeDecision | 'refused';
  /** The rule that decided. */
  readonly ruleId: string | undefined;
  /** Whether rules acted on it, so that it has events. */
  readonly hasEvents: boolean;
  /** Answers of objects and servers, if rules asked them. */
  readonly asked?: readonly RecordedAnswer[] | undefined;
  readonly outcome: ExchangeOutcome;
  /** Why the wire refused the request, or cut off its response: never contains data from the client. */
  readonly reason: string | undefined;
  /** Whether the reason is that the origin has a private address. */
  readonly isPrivateOrigin: boolean;
  /** Whether the response was sent completely. */
  readonly isComplete: boolean;
  /** Head and body, without chunk framing. */
  readonly receivedBytes: number;
  /** Head, body and framing. */
  readonly sentBytes: number;
  readonly sentBodyBytes: number;
  readonly judgedMs: number | undefined;
  readonly firstByteMs: number | undefined;
  readonly endMs: number;
  /** Undefined if no origin was contacted. */
  readonly origin: OriginRecord | undefined;
  /** The part of the request's body that was read, up to the limit of the observer. */
  readonly body?: RecordedBody | undefined;
  readonly trace: RequestTrace | undefined;
}

export interface RecordedBody {
  readonly bytes: Buffer;
  /** Whether these are all bytes of the body. */
  readonly isWhole: boolean;
}

export interface OriginRecord {
  /** Host and port, as configured. */
  readonly address: string;
  /** Undefined if an open connection was used. */
  readonly connectStartMs: number | undefined;
  /** When the head of the request was sent; undefined if no connection could be opened. */
  readonly requestMs: number | undefined;
  /** When the head of the response had arrived. */
  readonly responseMs: number | undefined;
}

export const noObserver: EdgeObserver = { onRequest() {} };

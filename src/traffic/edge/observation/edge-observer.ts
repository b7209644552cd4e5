/**
 * What the proxy tells about requests: one record for each request id that a client got, whatever became of the request. The
 * access log, metrics and traces are made from it. An observer must be quick, because it runs between two requests.
 */
import type { RecordedAnswer } from '#firewall';
import type { HeaderField, IncomingRequest, Outcome, Verdict, ZoneName } from '../wire/exchange.ts';

export interface EdgeObserver {
  /** How much of each request body comes with the record; none by default. */
  readonly recordedBodyBytesMax?: number;
  /** A head was read. What it returns comes back with the record. */
  startTrace?(request: IncomingRequest, isPeerTrusted: boolean): RequestTrace | undefined;
  /** A request has ended; a WebSocket's, when the protocols are switched. */
  onRequest(record: RequestRecord): void;
  /** A WebSocket has ended. */
  onTunnelEnd?(bytes: { readonly received: number; readonly sent: number }): void;
}

/** A trace that the origin continues. */
export interface RequestTrace {
  /** Replace the client's fields of the same names. */
  readonly originFields: readonly HeaderField[];
}

/** Times are milliseconds after `receivedAtMs`; undefined if the request did not come that far. */
export interface RequestRecord {
  /** The value of `cf-ray`. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
  readonly peerAddress: string;
  /** Undefined if the head could not be parsed. */
  readonly request: IncomingRequest | undefined;
  readonly zone: ZoneName | undefined;
  /** `refused`: the wire refused the request before it was judged, or its client left. */
  readonly verdict: Verdict | 'refused';
  /** The rule that decided. */
  readonly ruleId: string | undefined;
  /** Whether rules acted on it, so that there are events of it. */
  readonly hasEvents: boolean;
  /** What others said about it, if rules asked them. */
  readonly asked?: readonly RecordedAnswer[] | undefined;
  readonly outcome: Outcome;
  /** Why the wire refused the request, or cut off its response: never contains anything that a client sent. */
  readonly reason: string | undefined;
  /** Whether the reason is that the address of the origin is private. */
  readonly isPrivateOrigin: boolean;
  /** Whether the response was sent to its end. */
  readonly isComplete: boolean;
  /** Head and body, without the framing of chunks. */
  readonly receivedBytes: number;
  /** Head, body and framing. */
  readonly sentBytes: number;
  readonly sentBodyBytes: number;
  readonly judgedMs: number | undefined;
  readonly firstByteMs: number | undefined;
  readonly endMs: number;
  /** Undefined if no origin was asked. */
  readonly origin: OriginRecord | undefined;
  /** What was read of the request's body, as far as the observer wants it. */
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

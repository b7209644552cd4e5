/**
 * What passes between the wire and the judge. A request is judged exactly as it is forwarded: method, target and fields
 * have been checked to have one reading only, and nothing but the framing, the fields of one hop and those that the edge
 * itself sets (see `forwarded-head.ts`) differs in what the origin gets.
 *
 * Text from the wire is *binary strings*: one character per byte.
 */
import type { RefusalCode } from './refusal.ts';

export type HeaderField = readonly [name: string, value: string];

/** The first value of a field, which is named in lower case; empty without any. */
export function fieldOf(headers: readonly HeaderField[], name: string): string {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? '';
}

export interface IncomingRequest {
  /** Unique, sorted by time; in the answer's `cf-ray` and in every event. */
  readonly id: string;
  readonly method: string;
  /** As forwarded: path and query, or `*`. The absolute form has been reduced to it; its authority was the same as `Host`. */
  readonly target: string;
  /** The wire speaks the first two; frameworks that have the firewall inside also the last. */
  readonly httpVersion: '1.0' | '1.1' | '2';
  /** In their order and case. */
  readonly headers: readonly HeaderField[];
  /** Of `Host`: lower case, without port and trailing dot. */
  readonly host: string;
  /** Who asked: the peer, or whom trusted proxies name. */
  readonly clientAddress: string;
  readonly peerAddress: string;
  readonly isSecure: boolean;
  /** That TLS was asked for; undefined without TLS. */
  readonly serverName: string | undefined;
  readonly connection: ConnectionFacts;
  readonly receivedAtMs: number;
  /** Undefined without a body. A chunked one declares no length. */
  readonly body: { readonly declaredLength: number | undefined } | undefined;
}

/** What the requests of one connection have in common. */
export interface ConnectionFacts {
  readonly clientPort: number;
  readonly serverAddress: string;
  readonly serverPort: number;
  /** Of the last hop; undefined where it was without. `TLSv1.3`, and the cipher as OpenSSL names it. */
  readonly tls: { readonly version: string; readonly cipher: string } | undefined;
}

export interface InspectedBody {
  /** At most the inspection limit. */
  readonly bytes: Buffer;
  /** There is more than `bytes`. */
  readonly isTruncated: boolean;
  readonly declaredLength: number | undefined;
}

/** Where a request goes. Keep one object per configuration: the connections of an origin are found by it. */
export interface Origin {
  readonly scheme: 'http' | 'https';
  /** The name its certificate is checked against, and where to connect unless `connectTo` says otherwise. */
  readonly host: string;
  readonly port: number;
  /** A name or address. */
  readonly connectTo?: string;
  /** True unless said otherwise. */
  readonly verifyTls?: boolean;
  /** PEM, in place of the system's authorities. */
  readonly ca?: string;
}

/** How a judged request ended. */
export interface Outcome {
  /** What the origin answered, if it did. */
  readonly originStatus: number | undefined;
  /** What the client got, or one of the two below. */
  readonly edgeStatus: number;
  /** Why the wire answered in place of the origin. */
  readonly refusal: RefusalCode | undefined;
}

/** No statuses of HTTP, but known from logs: the client left before its answer; the connection was closed without one. */
export const clientGoneStatus = 499;
export const noAnswerStatus = 444;

interface Reported {
  /** Called once, when the status is certain: with the head of the answer, or when the client is gone. */
  readonly onResponse?: (outcome: Outcome) => void;
}

export interface ForwardVerdict extends Reported {
  readonly kind: 'forward';
  readonly origin: Origin;
  /** Requests of one zone share `requestsPerZoneMax`. */
  readonly zone: string;
  /** Replace the client's fields of the same name. Never those that frame or route. */
  readonly requestHeaders?: readonly HeaderField[];
}

export interface AnswerVerdict extends Reported {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: readonly HeaderField[];
  /** A string is sent as UTF-8. */
  readonly body: string | Uint8Array;
}

/** Ends the connection without a word. */
interface CloseVerdict extends Reported {
  readonly kind: 'close';
}

export type Verdict = ForwardVerdict | AnswerVerdict | CloseVerdict;

/**
 * Must not keep a request waiting for nothing: without a promise, the request goes on in the same turn. `inspect` may be
 * called more than once and gives the same each time; it rejects with `RequestGone` when the body never comes, and the
 * judge may let that pass through. Any other error is answered with 500: what could not be judged is not forwarded.
 */
export type Judge = (
  request: IncomingRequest,
  inspect: () => Promise<InspectedBody>,
) => Verdict | Promise<Verdict>;

export class RequestGone extends Error {
  override readonly name = 'RequestGone';

  constructor() {
    super('cannot inspect the body: the request ended before it came');
  }
}

/**
 * The interface between the wire and the judge. A request is judged exactly as it is forwarded: method, target and
 * fields were checked to be unambiguous, the judge returns the spelling of the target that it judged, and only the
 * framing, the hop-by-hop fields, withheld claims and the fields that the edge itself sets (see `forwarded-head.ts`)
 * differ in the request to the origin.
 *
 * Text from the wire is *binary strings*: one character per byte.
 */
import type { FieldOperation, RecordedAnswer } from '#firewall';
import type { HeaderField, RequestMessage } from '#request';
import type { AddedFields } from './added-fields.ts';
import type { RefusalCode } from './refusal.ts';

export type { HeaderField };

/** The first value of a field, whose name is in lower case; empty if there is none. */
export function readField(headers: readonly HeaderField[], name: string): string {
  // Nearly all other names already differ in length.
  const field = headers.find(([other]) => other.length === name.length && other.toLowerCase() === name);
  return field?.[1] ?? '';
}

/** The field in which a Worker names the host that it asks for. */
export const askedHostField = 'gatehouse-host';

/** The absolute form of a target is reduced to path and query, after its authority was compared with `Host`. */
export interface IncomingRequest extends RequestMessage {
  /** Unique, sorted by time; in the response's `cf-ray` and in every event. */
  readonly id: string;
  /** The host of the `Host` field: lower case, without port and trailing dot. */
  readonly host: string;
  /** The address of the client: the peer, or the address that trusted proxies report. */
  readonly clientAddress: string;
  readonly peerAddress: string;
  readonly isSecure: boolean;
  /** The server name of the TLS handshake; undefined without TLS. */
  readonly serverName: string | undefined;
  /** Whether the certificate of the connection is for other names than `host`. */
  readonly isMisdirected?: boolean;
  readonly connection: ConnectionFacts;
  /** Whether a Worker of the zone sends this to the origin, after the rules have passed the client's request. */
  readonly isFromWorker?: boolean;
  readonly receivedAtMs: number;
  /** Undefined without a body. A chunked body declares no length. */
  readonly body: { readonly declaredLength: number | undefined } | undefined;
}

/** The facts that the requests of one connection share. */
export interface ConnectionFacts {
  readonly clientPort: number;
  readonly serverAddress: string;
  readonly serverPort: number;
  /** TLS of the last hop; undefined without TLS. The version as `TLSv1.3`, the cipher by its OpenSSL name. */
  readonly tls: { readonly version: string; readonly cipher: string } | undefined;
}

export interface InspectOptions {
  /** The zone that the request counts for while its body arrives. */
  readonly zone?: string;
  /** Less than the inspection limit. */
  readonly bytesMax?: number;
  /** The longest body that the zone allows; the proxy's limit by default. */
  readonly requestBodyBytesMax?: number | undefined;
}

export interface InspectedBody {
  /** At most the inspection limit, or the `bytesMax` that the judge passed. */
  readonly bytes: Buffer;
  /** Whether the body is longer than `bytes`. */
  readonly isTruncated: boolean;
  /** Whether `bytes` are all texts of a form (`FormTexts`) without its files. */
  readonly leavesOutFiles?: boolean;
  /** Length of the whole body: as declared, or as received. */
  readonly declaredLength: number | undefined;
  /** The requested limit. */
  readonly bytesMax?: number;
}

/** The destination of a request. Keep one object per configuration, because connections are looked up by it. */
export interface Origin {
  readonly scheme: 'http' | 'https';
  /** The name that its certificate is checked against, and the host to connect to unless `connectTo` is set. */
  readonly host: string;
  readonly port: number;
  /** A name or address. */
  readonly connectTo?: string;
  /** True by default. */
  readonly verifyTls?: boolean;
  /** The name whose client certificate the edge presents; none by default. */
  readonly clientName?: string;
  /** In PEM, replacing the system's authorities. */
  readonly ca?: string;
  /** The name of a Worker on this host, which is reached without the network. */
  readonly worker?: string;
}

/** How a judged request ended. */
export interface ExchangeOutcome {
  /** The status of the origin's response, if there was one. */
  readonly originStatus: number | undefined;
  /** The status that the client got, or one of the two below. */
  readonly edgeStatus: number;
  /** Why the wire answered instead of the origin. */
  readonly refusal: RefusalCode | undefined;
}

/**
 * Not HTTP statuses, but common in logs: the client disconnected before its response; the connection was closed without
 * one.
 */
export const clientGoneStatus = 499;
export const noAnswerStatus = 444;

/** The decision of the judge. `answered`: the edge answers by itself, for example the solution of a challenge. */
export type EdgeDecision = 'forwarded' | 'blocked' | 'challenged' | 'answered' | 'unserved';

export interface ZoneName {
  readonly id: string;
  readonly name: string;
}

/** For the access log, metrics and traces. */
interface DirectiveFacts {
  /** Undefined if no zone has the name. */
  readonly zone: ZoneName | undefined;
  readonly verdict: EdgeDecision;
  readonly ruleId?: string | undefined;
  /** Whether rules acted on the request, so that it has events. */
  readonly hasEvents?: boolean;
  /** Answers of objects and servers, if rules asked them. */
  readonly asked?: readonly RecordedAnswer[] | undefined;
}

interface Reported {
  readonly about?: DirectiveFacts;
  /** Added to the response, whatever its source, in place of fields with the same names. */
  readonly responseFields?: AddedFields;
  /** Called once, when the status is certain: with the head of the response, or when the client has disconnected. */
  readonly onResponse?: (outcome: ExchangeOutcome) => void;
}

/**
 * Origins that can stand in for each other. The proxy calls `begin` before it uses the current one, then `answer` or
 * `fail`, and `end` when the exchange with it is over.
 */
export interface OriginChoice {
  /** The current origin. */
  readonly origin: Origin;
  /** The `Host` field for the current origin, unless rules set another. */
  readonly hostHeader: string | undefined;
  begin(): void;
  answer(): void;
  /** Returns whether there is another current origin now. `counts`: the origin has failed, not this edge. */
  fail(how: { readonly counts: boolean }): boolean;
  end(): void;
}

export interface ForwardDirective extends Reported {
  readonly kind: 'forward';
  readonly origin: Origin;
  /** The origins to try if the origin does not answer; `origin` is the first of them. */
  readonly choice?: OriginChoice;
  /** Requests of one zone share `requestsPerZoneMax`. */
  readonly zone: string;
  /** The target for the origin; as received by default. */
  readonly target?: string;
  /** The names of the client's claim fields that the origin receives, in lower case; none by default. */
  readonly claims?: ReadonlySet<string>;
  /** Replace the client's fields of the same name. Must not frame or route. */
  readonly requestHeaders?: readonly HeaderField[];
  /** The `Host` field for the origin; that of the client by default. */
  readonly hostHeader?: string;
  /** Changes that rules make to the fields of the request, after those above. */
  readonly requestOperations?: readonly FieldOperation[];
  /** Changes that rules make to the fields of the response; undefined for none. */
  readonly changeResponse?: (head: InspectedResponse['head']) => readonly FieldOperation[] | undefined;
  /**
   * A response in place of an error of the origin, or of the edge when the origin fails; undefined if the error stays.
   */
  readonly replaceError?: (
    head: InspectedResponse['head'],
  ) => Omit<RespondDirective, 'onResponse'> | undefined;
  /** The client address that the origin receives; the real one by default. */
  readonly shownAddress?: string;
  /** The longest body that the zone allows; the proxy's limit by default. */
  readonly requestBodyBytesMax?: number;
  /** How long the origin may be silent; the proxy's limit by default. */
  readonly originReadMs?: number;
  /** Whether to compress the response, if the client accepts that and the origin has not compressed it. */
  readonly compresses?: boolean;
  /** Whether a request for a WebSocket is forwarded as an ordinary one. */
  readonly refusesUpgrade?: boolean;
  /** Called with the head of the origin's response, before `onResponse`; not if there is none. */
  readonly onOriginHead?: (head: InspectedResponse['head']) => void;
  /** Judges the response before the client gets any of it; absent if it may stream. */
  readonly inspectResponse?: ResponseInspection;
}

export interface ResponseInspection {
  /** Whether rules read the body. If they do, at most `heldBytesMax` of it are held back until they are judged. */
  readsBody(head: InspectedResponse['head']): boolean;
  readonly heldBytesMax: number;
  judge(response: InspectedResponse): ResponseRuling | Promise<ResponseRuling>;
}

export interface InspectedResponse {
  readonly head: { readonly status: number; readonly headers: readonly HeaderField[] };
  readonly bytes: Buffer;
  /** Whether the body is longer than `bytes`. */
  readonly isTruncated: boolean;
}

export interface ResponseRuling {
  /** The response that the client gets instead. */
  readonly answer: RespondDirective | undefined;
  readonly about: DirectiveFacts | undefined;
}

export interface RespondDirective extends Reported {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: readonly HeaderField[];
  /** A string is sent as UTF-8. */
  readonly body: string | Uint8Array;
}

/** Closes the connection without a response. */
interface CloseDirective extends Reported {
  readonly kind: 'close';
}

export type Directive = ForwardDirective | RespondDirective | CloseDirective;

/**
 * A judge must not delay a request needlessly: if it returns no promise, the request continues in the same turn.
 * `inspect` may be called repeatedly and always returns the result of the first call; it rejects with `RequestGone` if
 * the body never arrives, and the judge may propagate that error. Any other error is answered with 500: a request that
 * could not be judged is not forwarded.
 */
export type Judge = (
  request: IncomingRequest,
  inspect: (options?: InspectOptions) => Promise<InspectedBody>,
) => Directive | Promise<Directive>;

export class RequestGone extends Error {
  override readonly name = 'RequestGone';

  constructor() {
    super('cannot inspect the body: the request ended before it came');
  }
}

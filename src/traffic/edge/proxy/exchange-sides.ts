/** The two sides of an exchange, as the exchange and its forwarding see them. */
import type { Duplex } from 'node:stream';
import type { RequestTimeline } from '../observation/request-timeline.ts';
import type { BodyDecoder } from '../wire/body/decoder.ts';
import type { Framing } from '../wire/body/framing.ts';
import type { IncomingRequest, ExchangeOutcome, RespondDirective } from '../wire/exchange.ts';
import type { Refusal } from '../wire/refusal.ts';
import type { RequestHead } from '../wire/request/request-head.ts';
import type { ProxyCore } from './proxy-core.ts';
import type { RequestBody } from './request-body.ts';
import type { ConnectedClient } from './client-side/connected-client.ts';
import type { ResponseWriter } from './client-side/response-writer.ts';
import type { Watch } from './watchdog.ts';

/** The client of one request. Its connection may serve others before, after and at the same time. */
export interface ClientSide {
  readonly connection: ConnectedClient;
  readonly writer: ResponseWriter;
  readonly watch: Watch;
  /** Size of the head of the request in progress. */
  readonly headBytes: number;
  createBodyDecoder(framing: Framing): BodyDecoder;
  pause(): void;
  resume(): void;
  /** Keeps bytes that belong to the next request. */
  keep(rest: Buffer): void;
  /** Calls back when everything that was written is on its way; never if the client disconnects first. */
  whenSent(onSent: () => void): void;
  finishExchange(isLast: boolean): void;
  /** Aborts the response, or the connection before a response has started. */
  destroy(): void;
  takeOver(): { readonly socket: Duplex; readonly early: Buffer | undefined };
}

/** An exchange whose request is forwarded to an origin. */
export interface ForwardedExchange {
  readonly core: ProxyCore;
  readonly client: ClientSide;
  readonly head: RequestHead;
  readonly request: IncomingRequest;
  readonly body: RequestBody | undefined;
  readonly watch: Watch;
  readonly timeline: RequestTimeline;
  readonly canContinue: boolean;
  /** Whether it was answered, or its client has disconnected. */
  readonly isOver: boolean;
  /** `answer`: the response that rules substitute. */
  refuse(refusal: Refusal, answer?: RespondDirective): void;
  /** Judging the request or its response failed: nothing of it is passed on. */
  failJudge(error: unknown): void;
  /** Answers in place of the origin, whose response has this status. */
  replaceResponse(directive: RespondDirective, originStatus: number): void;
  /** The client does not read the response: from now on it has a deadline, and its slot can be evicted. */
  awaitReader(): void;
  report(outcome: ExchangeOutcome): void;
  complete(isLast: boolean): void;
  detach(): void;
}

/** The two sides of an exchange, as the exchange and its forwarding see them. */
import type { Socket } from 'node:net';
import type { Peer } from '../wire/client-address.ts';
import type { RequestTimeline } from '../observation/request-timeline.ts';
import type { ConnectionFacts, IncomingRequest, Outcome, RespondDirective } from '../wire/exchange.ts';
import type { Refusal } from '../wire/refusal.ts';
import type { RequestHead } from '../wire/request/request-head.ts';
import type { BatchedWriter } from './batched-writer.ts';
import type { ProxyCore } from './proxy-core.ts';
import type { RequestBody } from './request-body.ts';
import type { Watch } from './watchdog.ts';

/** The client's connection, which may serve other requests before and after. */
export interface ClientSide {
  readonly peer: Peer;
  readonly writer: BatchedWriter;
  readonly watch: Watch;
  readonly isTls: boolean;
  readonly serverName: string | undefined;
  readonly facts: ConnectionFacts;
  /** Of the head of the request in progress. */
  readonly headBytes: number;
  pause(): void;
  resume(): void;
  /** Keeps bytes that belong to the next request. */
  keep(rest: Buffer): void;
  finishExchange(isLast: boolean): void;
  destroy(): void;
  takeOver(): { readonly socket: Socket; readonly early: Buffer | undefined };
}

/** An exchange whose request goes to an origin. */
export interface ForwardedExchange {
  readonly core: ProxyCore;
  readonly client: ClientSide;
  readonly head: RequestHead;
  readonly request: IncomingRequest;
  readonly body: RequestBody | undefined;
  readonly watch: Watch;
  readonly timeline: RequestTimeline;
  readonly canContinue: boolean;
  /** Whether it was answered, or its client is gone. */
  readonly isOver: boolean;
  refuse(refusal: Refusal): void;
  /** The request or its response could not be judged: nothing of it is passed on. */
  failJudge(error: unknown): void;
  /** Answers in place of the origin, whose response has this status. */
  replaceResponse(directive: RespondDirective, originStatus: number): void;
  report(outcome: Outcome): void;
  complete(isLast: boolean): void;
  detach(): void;
}

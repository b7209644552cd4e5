/** What passes between those who ask about visitors and the connections to those who are asked. */
import type { HeaderField, IncomingRequest, Origin } from '../wire/exchange.ts';

/** A request that passes, and that somebody is asked about. */
export interface AskedRequest {
  readonly request: IncomingRequest;
  /** As the origin would get it. */
  readonly target: string;
  readonly zone: { readonly id: string; readonly name: string };
}

export interface WrittenQuestion {
  readonly origin: Origin;
  /** The head of the request, but for what names this process and the end of the head. */
  readonly head: string;
  /** Everything that is told: equal for equal questions. */
  readonly key: string;
}

export interface AskedResponse {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  readonly body: Buffer;
}

/** Rejects with a `SendProblem` if there is no response, or one that is too long. */
export type SendQuestion = (question: WrittenQuestion, signal: AbortSignal) => Promise<AskedResponse>;

/** The message is the end of a sentence. */
export class SendProblem extends Error {
  override readonly name = 'SendProblem';
}

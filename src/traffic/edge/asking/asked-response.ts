/** The types shared by the code that asks about visitors and the connections that send the questions. */
import type { HeaderField, IncomingRequest, Origin } from '../wire/exchange.ts';

/** A request that the rules let pass and that a rule asks an object or a server about. */
export interface AskedRequest {
  readonly request: IncomingRequest;
  /** The target as the origin would receive it. */
  readonly target: string;
  readonly zone: { readonly id: string; readonly name: string };
}

export interface WrittenQuestion {
  readonly origin: Origin;
  /** The request head without the field that names this process and without the final empty line. */
  readonly head: string;
  /** The cache key: everything the question contains, so equal questions have equal keys. */
  readonly key: string;
}

export interface AskedResponse {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  readonly body: Buffer;
}

/** Rejects with a `SendProblem` if there is no response or the response is too long. */
export type SendQuestion = (question: WrittenQuestion, signal: AbortSignal) => Promise<AskedResponse>;

/** The message completes a sentence. */
export class SendProblem extends Error {
  override readonly name = 'SendProblem';
}

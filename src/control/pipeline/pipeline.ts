/**
 * The way of a request: routed, authenticated, limited, permitted, read, then answered by the object that holds the state.
 * Every failure on the way is an answer in the envelope with a code; nothing is changed before the last step, and no
 * error of ours shows more than a request id.
 */
import { randomUUID } from 'node:crypto';
import { describeDiskRefusal, diskRefusalOf } from '#base';
import {
  type ApiAnswer,
  apiPath,
  type ApiRequest,
  authCodes,
  entryOf,
  Fault,
  fault,
  genericCodes,
  type OperationId,
  operations,
  type PlainReply,
  Router,
  targetCharactersMax,
  writeFault,
  type WrittenAnswer,
} from '#api';
import type { Call } from '../context/handler.ts';
import { authenticate, type Caller } from './authenticate.ts';
import type { Dispatcher } from './dispatcher.ts';
import { readInput } from './read-input.ts';
import { checkPermitted } from './permit.ts';
import { RateLimit, type RateLimitOptions } from './rate-limit.ts';

export interface FrontOptions {
  readonly dispatcher: Dispatcher;
  readonly rateLimit: RateLimitOptions | 'off';
  /** The time, in milliseconds. */
  readonly now: () => number;
  /** Takes errors of ours, with the id that the client was told. */
  readonly onError: (error: unknown, requestId: string) => void;
  /** Told of each answer, for measurements. */
  readonly onAnswer?: ((report: AnswerReport) => void) | undefined;
}

export interface AnswerReport {
  /** Undefined when the request was for none. */
  readonly operation: OperationId | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** The first code of a refusal that no object was asked for: routing, credentials, limits, input. */
  readonly refusal: number | undefined;
}

/** How far a request came, for those who wait for its end. */
interface Progress {
  readonly requestId: string;
  operation: OperationId | undefined;
  /** What the answer will have beside its type. */
  headers: Record<string, string>;
}

/** Guesses at credentials from one address; those who have valid ones are never refused for it. */
const failureLimit: RateLimitOptions = { requests: 100, windowMs: 5 * 60 * 1000 };

/** Somebody has to make space first. */
const writesRefusedRetrySeconds = 30;

/** Operations that are about the token itself, whatever became of it. */
const verifications: ReadonlySet<OperationId> = new Set(['tokens.verify', 'accountTokens.verify']);

const router = new Router<OperationId>(operations);

export class ApiFront {
  readonly #dispatcher: Dispatcher;
  readonly #onError: FrontOptions['onError'];
  readonly #onAnswer: FrontOptions['onAnswer'];
  readonly #now: FrontOptions['now'];
  readonly #limit: RateLimit | undefined;
  readonly #failures: RateLimit | undefined;

  constructor({ dispatcher, rateLimit, now, onError, onAnswer }: FrontOptions) {
    this.#dispatcher = dispatcher;
    this.#limit = rateLimit === 'off' ? undefined : new RateLimit('default', rateLimit);
    this.#failures = rateLimit === 'off' ? undefined : new RateLimit('failures', failureLimit);
    this.#now = now;
    this.#onError = onError;
    this.#onAnswer = onAnswer;
  }

  async answer(request: ApiRequest): Promise<ApiAnswer> {
    const startMs = performance.now();
    const requestId = randomUUID().replaceAll('-', '').slice(0, 16);
    const progress: Progress = { requestId, operation: undefined, headers: { 'cf-ray': requestId } };
    let refusal: number | undefined;
    let answer: WrittenAnswer | PlainReply;
    try {
      answer = await this.#answer(request, progress);
    } catch (error) {
      if (!(error instanceof Fault)) this.#onError(error, requestId);
      else refusal = error.entries[0]!.code;
      answer = writeFault(error instanceof Fault ? error : this.#explain(error, progress));
    }
    const { operation } = progress;
    this.#onAnswer?.({ operation, status: answer.status, durationMs: performance.now() - startMs, refusal });
    return sent(answer, progress.headers);
  }

  async #answer(request: ApiRequest, progress: Progress): Promise<WrittenAnswer | PlainReply> {
    const { path, query } = splitTarget(request.target);
    const route = router.find(request.method, path.slice(apiPath.length));
    if (!path.startsWith(`${apiPath}/`) || route.kind === 'none') throw notRouted(path);
    if (route.kind === 'wrong-method') {
      progress.headers['allow'] = route.allowed.join(', ');
      throw fault(genericCodes.methodNotAllowed);
    }
    progress.operation = route.id;
    const caller = this.#authenticate(request, route.id, progress);
    this.#count(this.#limit, caller.countedAs, progress);
    checkPermitted(route.operation, route.path, caller, this.#dispatcher.directory);
    const input = await readInput(route.operation, { request, path: route.path, query });
    const call: Call = { operation: route.id, input, actor: caller.actor, requestId: progress.requestId };
    return this.#dispatcher.dispatch(call);
  }

  /** An error of ours, or of the disk, as the client is told it. */
  #explain(error: unknown, { requestId, headers }: Progress): Fault {
    const refused = diskRefusalOf(error);
    if (refused === undefined) return fault(genericCodes.internal, { fill: { request: requestId } });
    headers['retry-after'] = String(writesRefusedRetrySeconds);
    return fault(genericCodes.writesRefused, { fill: { reason: describeDiskRefusal(refused) } });
  }

  #authenticate(request: ApiRequest, operation: OperationId, progress: Progress): Caller {
    const nowMs = this.#now();
    const isVerification = verifications.has(operation);
    try {
      return authenticate(this.#dispatcher.directory, { request, nowMs, isVerification });
    } catch (error) {
      this.#count(this.#failures, request.address, progress);
      throw error;
    }
  }

  #count(limit: RateLimit | undefined, who: string, progress: Progress): void {
    if (limit === undefined) return;
    const allowance = limit.take(who, this.#now());
    Object.assign(progress.headers, limit.headersFor(allowance));
    if (allowance.isOver) throw fault(authCodes.tooManyRequests);
  }
}

function splitTarget(target: string): { path: string; query: string } {
  if (target.length > targetCharactersMax) {
    throw fault(genericCodes.targetTooLong, { fill: { characters: targetCharactersMax } });
  }
  const [path, query = ''] = target.split(/\?(.*)/s, 2);
  return { path: path!, query };
}

function notRouted(path: string): Fault {
  const { couldNotRoute, noRoute } = genericCodes;
  const shown = path.length > 200 ? `${path.slice(0, 197)}...` : path;
  return new Fault(404, [entryOf(couldNotRoute, { fill: { path: shown } }), entryOf(noRoute)]);
}

function sent(answer: WrittenAnswer | PlainReply, headers: Record<string, string>): ApiAnswer {
  const { status, body } = answer;
  if ('contentType' in answer) Object.assign(headers, answer.headers, { 'content-type': answer.contentType });
  else if (body !== null) headers['content-type'] = 'application/json';
  return { status, headers, body };
}

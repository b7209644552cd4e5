/**
 * The pipeline of a request: route, authenticate, limit, permit, read, compile patterns, then ask the object that holds
 * the state. Every failure is an enveloped response with a code. Nothing is changed before the last step, and an internal
 * error reveals only the request id.
 */
import { describeDiskRefusal, diskRefusalOf } from '#files';
import {
  type ApiResponse,
  apiPath,
  type ApiRequest,
  authCodes,
  createNotRouted,
  explainUnserved,
  Fault,
  fault,
  genericCodes,
  type OperationId,
  type OpenedSession,
  type PlainReply,
  readInput,
  type Sessions,
  splitTarget,
  toHttpResponse,
  writeFault,
  type WrittenResponse,
  createRequestId,
} from '#contract';
import { authenticate, type Caller, refusalOn, type TokenRefusal, toSubject } from './authenticate.ts';
import { readCondition } from './condition.ts';
import type { Dispatcher } from './dispatcher.ts';
import { compilePatterns } from './compile-patterns.ts';
import { isElsewhere, isLost } from './lost-objects.ts';
import { checkPermitted } from './permit.ts';
import { router } from './planned-requests.ts';
import type { Call, Actor } from '../context/handler.ts';
import type { SessionSubject } from '../sessions/session-object.ts';
import { type ApiRateLimitOptions, RateLimit, type RateLimitOptions } from './limits/rate-limit.ts';
import { type SignInAttempt, SignInLimit } from './limits/sign-in-limit.ts';
import type { TokenUseLog } from './token-use-log.ts';

export interface PipelineOptions {
  readonly dispatcher: Dispatcher;
  readonly sessions: Sessions<SessionSubject>;
  readonly rateLimit: ApiRateLimitOptions | 'off';
  readonly tokenUses: Pick<TokenUseLog, 'note'>;
  /** Undefined if the directory may be used; otherwise resolves when it may. */
  readonly ensureFresh: () => Promise<void> | undefined;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
  /** Receives internal errors, with the request id that the client got. */
  readonly onError: (error: unknown, requestId: string) => void;
  /** Called after each response, for metrics. */
  readonly onAnswer?: ((report: ResponseReport) => void) | undefined;
}

export interface ResponseReport {
  readonly request: ApiRequest;
  readonly requestId: string;
  /** Undefined if no operation matched the request. */
  readonly operation: OperationId | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** The first code of a request that was refused before an object was called: routing, credentials, limits, input. */
  readonly refusal: number | undefined;
}

/** The progress of a request, for the report at its end. */
interface Progress {
  readonly requestId: string;
  operation: OperationId | undefined;
  /** The headers of the response besides its content type. */
  headers: Record<string, string>;
}

/** Limits failed sign-ins from one address; callers with valid credentials are never refused for them. */
const failureLimit: RateLimitOptions = { requests: 100, windowMs: 5 * 60 * 1000 };

/** Longer ones are refused anyway, and need not be counted. */
const emailCharactersMax = 256;

/** An operator has to free disk space first. */
const writesRefusedRetrySeconds = 30;

/** In a cluster: the host that has the object, or the account. */
const awayState =
  'waiting for its database, which does not answer: before you retry, read whether the change was made';
const lostState = 'restarting a part of itself: before you retry, read whether the change was made';

/** Operations about the token itself, whatever its state. */
const verifications: ReadonlySet<OperationId> = new Set(['tokens.verify', 'accountTokens.verify']);

export class ApiPipeline {
  readonly #dispatcher: Dispatcher;
  readonly #sessions: Sessions<SessionSubject>;
  readonly #onError: PipelineOptions['onError'];
  readonly #onAnswer: PipelineOptions['onAnswer'];
  readonly #now: PipelineOptions['now'];
  readonly #tokenUses: PipelineOptions['tokenUses'];
  readonly #ensureFresh: PipelineOptions['ensureFresh'];
  readonly #limit: RateLimit | undefined;
  readonly #graphqlLimit: RateLimit | undefined;
  readonly #failures: RateLimit | undefined;
  readonly #signIns = new SignInLimit();

  constructor(options: PipelineOptions) {
    const { dispatcher, sessions, tokenUses, rateLimit, now, onError, onAnswer } = options;
    this.#dispatcher = dispatcher;
    this.#sessions = sessions;
    this.#tokenUses = tokenUses;
    this.#limit = rateLimit === 'off' ? undefined : new RateLimit('default', rateLimit);
    this.#graphqlLimit =
      rateLimit === 'off'
        ? undefined
        : new RateLimit('graphql', { requests: rateLimit.graphqlRequests, windowMs: rateLimit.windowMs });
    this.#failures = rateLimit === 'off' ? undefined : new RateLimit('failures', failureLimit);
    this.#ensureFresh = options.ensureFresh;
    this.#now = now;
    this.#onError = onError;
    this.#onAnswer = onAnswer;
  }

  async answer(request: ApiRequest): Promise<ApiResponse> {
    const startMs = performance.now();
    const requestId = createRequestId();
    const progress: Progress = { requestId, operation: undefined, headers: { 'cf-ray': requestId } };
    let refusal: number | undefined;
    let answer: WrittenResponse | PlainReply;
    try {
      answer = await this.#answer(request, progress);
    } catch (error) {
      if (!(error instanceof Fault)) this.#onError(error, requestId);
      else refusal = error.entries[0]!.code;
      answer = writeFault(error instanceof Fault ? error : this.#explain(error, progress));
    }
    const { operation } = progress;
    const durationMs = performance.now() - startMs;
    this.#onAnswer?.({ request, requestId, operation, status: answer.status, durationMs, refusal });
    return toHttpResponse(answer, progress.headers);
  }

  /** Opens a session for the owner of the credentials in these headers. Failures count like those of any request. */
  async openSession(request: Pick<ApiRequest, 'headers' | 'address'>): Promise<OpenedSession> {
    await this.#ensureFresh();
    const { authorization, 'x-auth-email': email, 'x-auth-key': key } = request.headers;
    const given = {
      headers: { authorization, 'x-auth-email': email, 'x-auth-key': key },
      address: request.address,
    };
    const progress: Progress = { requestId: '', operation: undefined, headers: {} };
    const caller = this.#authenticate(given, progress, 'token');
    return this.#sessions.open(toSubject(this.#dispatcher.directory, caller), this.#now());
  }

  async #answer(request: ApiRequest, progress: Progress): Promise<WrittenResponse | PlainReply> {
    const waiting = this.#ensureFresh();
    if (waiting !== undefined) await waiting;
    const { path, query } = splitTarget(request.target);
    const routed = path.slice(apiPath.length);
    const route = router.find(request.method, routed);
    if (!path.startsWith(`${apiPath}/`) || route.kind === 'none') {
      // Wrong credentials are reported first: otherwise their owner would look for the wrong cause.
      if (hasCredentials(request.headers)) this.#authenticate(request, progress, refusalOn(routed));
      throw explainUnserved(routed) ?? createNotRouted(path);
    }
    if (route.kind === 'wrong-method') {
      progress.headers['allow'] = route.allowed.join(', ');
      throw fault(genericCodes.methodNotAllowed);
    }
    progress.operation = route.id;
    const caller = this.#authenticate(request, progress, refusalOn(routed));
    if (caller.actor.tokenId !== undefined) this.#tokenUses.note(caller.actor.tokenId, this.#now());
    this.#count(this.#limit, caller.countedAs, progress);
    if (route.id === 'graphql.query') this.#count(this.#graphqlLimit, caller.countedAs, progress);
    checkPermitted(route.operation, route.path, caller, this.#dispatcher.directory);
    const versions = readCondition(route.operation, request.headers['if-match']);
    const input = await readInput(route.operation, { request, path: route.path, query });
    const { requestId } = progress;
    const call: Call = {
      operation: route.id,
      input,
      actor: addReason(caller.actor, request.headers),
      requestId,
      ...(versions === undefined ? {} : { versions }),
    };
    const { isHosted } = this.#dispatcher;
    const earlier = await this.#dispatcher.readEarlier(call);
    using _ready = await compilePatterns(earlier ?? input.body, { readsTrees: !isHosted });
    return await this.#dispatcher.dispatch(isHosted && earlier !== undefined ? { ...call, earlier } : call);
  }

  /** Converts an internal error, or an error of the disk, into the fault that the client sees. */
  #explain(error: unknown, { requestId, headers }: Progress): Fault {
    if (isLost(error)) {
      headers['retry-after'] = '1';
      return fault(genericCodes.unavailable, { fill: { state: lostState } });
    }
    if (isElsewhere(error)) {
      headers['retry-after'] = '1';
      return fault(genericCodes.unavailable, {
        fill: { state: `unable to inspect the object: ${error.message}` },
      });
    }
    const refused = diskRefusalOf(error);
    if (refused === undefined) return fault(genericCodes.internal, { fill: { request: requestId } });
    if (refused === 'away') {
      headers['retry-after'] = '1';
      return fault(genericCodes.unavailable, { fill: { state: awayState } });
    }
    headers['retry-after'] = String(writesRefusedRetrySeconds);
    return fault(genericCodes.writesRefused, { fill: { reason: describeDiskRefusal(refused) } });
  }

  #authenticate(
    request: Pick<ApiRequest, 'headers' | 'address'>,
    progress: Progress,
    refusal: TokenRefusal,
  ): Caller {
    const nowMs = this.#now();
    const { operation } = progress;
    const isVerification = operation !== undefined && verifications.has(operation);
    const attempt: SignInAttempt = {
      address: request.address,
      email: readEmail(request.headers),
      isInteractive: operation === undefined,
    };
    this.#checkAttempt(attempt, progress);
    try {
      const caller = authenticate(this.#dispatcher.directory, {
        request,
        nowMs,
        isVerification,
        refusal,
        sessions: this.#sessions,
      });
      this.#signIns.noteSuccess(attempt);
      return caller;
    } catch (error) {
      this.#signIns.noteFailure(attempt, nowMs);
      this.#count(this.#failures, request.address, progress);
      throw error;
    }
  }

  /** Refuses credentials that must not be tried now. An address with too many failures cannot try further accounts. */
  #checkAttempt(attempt: SignInAttempt, { headers }: Progress): void {
    const nowMs = this.#now();
    const triesAccount = attempt.email !== undefined && !this.#signIns.isKnown(attempt);
    const byAddress = triesAccount ? this.#failures?.read(attempt.address, nowMs) : undefined;
    const refusal = byAddress?.isOver === true ? byAddress : this.#signIns.findRefusal(attempt, nowMs);
    if (refusal === undefined) return;
    const { resetSeconds: retryAfterSeconds } = refusal;
    headers['retry-after'] = String(retryAfterSeconds);
    throw fault(authCodes.tooManyRequests, { retryAfterSeconds });
  }

  #count(limit: RateLimit | undefined, who: string, progress: Progress): void {
    if (limit === undefined) return;
    const allowance = limit.take(who, this.#now());
    Object.assign(progress.headers, limit.createHeaders(allowance));
    if (allowance.isOver)
      throw fault(authCodes.tooManyRequests, { retryAfterSeconds: allowance.resetSeconds });
  }
}

function hasCredentials({ authorization, 'x-auth-key': key }: ApiRequest['headers']): boolean {
  return authorization !== undefined || key !== undefined;
}

function readEmail({ 'x-auth-email': email }: ApiRequest['headers']): string | undefined {
  return typeof email === 'string' ? email.slice(0, emailCharactersMax) : undefined;
}

/** Longer texts are documents, not reasons. */
const reasonCharactersMax = 500;

function addReason(actor: Actor, headers: ApiRequest['headers']): Actor {
  const reason = decode([headers['x-change-reason'] ?? ''].flat().join(' '))
    .trim()
    .slice(0, reasonCharactersMax);
  return reason === '' ? actor : { ...actor, reason };
}

/** Header fields cannot contain characters beyond Latin-1, so these are percent-encoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

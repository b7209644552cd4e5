/**
 * The operator door without a socket: a request in, an answer out, by the rows of the contract. A client that sends
 * `Prefer: progress` gets lines of JSON, including progress lines; the last line is the envelope.
 */
import { AssertionError } from 'node:assert';
import { realClock } from '#base';
import {
  type ApiRequest,
  type ApiResponse,
  createNotRouted,
  Fault,
  fault,
  genericCodes,
  operatorCodes,
  operatorOperations,
  type OperatorOperations,
  type PlainReply,
  readInput,
  type Reply,
  type Route,
  Router,
  splitTarget,
  toHttpResponse,
  writeFault,
  writeReply,
} from '#contract';
import type { Progress } from '#objects';
import { progressMs } from '../limits.ts';
import type { OperatorCall, OperatorHandlers } from '../operator-handlers.ts';
import { startWith } from '../start-with.ts';
import { mergeProgress, ProgressLines } from './progress-lines.ts';

type Id = keyof OperatorOperations;

const router = new Router<Id>(operatorOperations);
type Answered = Promise<Reply | PlainReply> | AsyncIterable<unknown, void>;

const linesType = 'application/x-ndjson';

export interface OperatorApiOptions {
  readonly handlers: Partial<OperatorHandlers>;
  /** Receives our own bugs; other failures are reported to the client. */
  readonly onError: (error: unknown) => void;
}

export class OperatorApi {
  readonly #options: OperatorApiOptions;

  constructor(options: OperatorApiOptions) {
    this.#options = options;
  }

  /** Whether a handler answers it; otherwise another program may. */
  serves(method: string, target: string): boolean {
    const route = router.find(method, target.split('?', 1)[0]!);
    return route.kind === 'found' && this.#options.handlers[route.id] !== undefined;
  }

  async answer(request: ApiRequest): Promise<ApiResponse> {
    const headers: Record<string, string> = { 'cache-control': 'no-store' };
    try {
      return await this.#answer(request, headers);
    } catch (error) {
      return toHttpResponse(writeFault(this.#explain(error)), headers);
    }
  }

  async #answer(request: ApiRequest, headers: Record<string, string>): Promise<ApiResponse> {
    const { path, query } = splitTarget(request.target);
    const route = findRoute(request.method, path, headers);
    const handle = this.#options.handlers[route.id];
    if (handle === undefined)
      throw fault(operatorCodes.operatorNotServed, { fill: { what: path.split('/')[1]! } });
    // curl declares every body as a form, and browsers cannot connect: a body is JSON whatever its type.
    const named = { ...request, headers: { ...request.headers, 'content-type': undefined } };
    const input = await readInput(route.operation, {
      request: named,
      path: decodeNames(route.path),
      query,
    });
    const isPreferred = String(request.headers['prefer']).includes('progress');
    const progress = new ProgressLines();
    const call: OperatorCall = {
      signal: request.signal ?? new AbortController().signal,
      onProgress: isPreferred ? throttle((each) => progress.add(each)) : () => {},
      content: request.content ?? (async function* none() {})(),
    };
    const answered = handle(call, input as never) as Answered;
    if (isPreferred) {
      const items = 'then' in answered ? toLine(answered) : answered[Symbol.asyncIterator]();
      return this.#writeLines(mergeProgress(items, progress), headers);
    }
    if ('then' in answered) return toHttpResponse(write(await answered), headers);
    const items = answered[Symbol.asyncIterator]();
    // A failure before the first line has a status of its own.
    const first = await items.next();
    return this.#writeLines(startWith(first, items), headers);
  }

  #writeLines(items: AsyncIterable<unknown>, headers: Record<string, string>): ApiResponse {
    return { status: 200, headers: { ...headers, 'content-type': linesType }, body: this.#toLines(items) };
  }

  async *#toLines(items: AsyncIterable<unknown>): AsyncGenerator<string, void> {
    try {
      for await (const item of items) yield typeof item === 'string' ? item : `${JSON.stringify(item)}\n`;
    } catch (error) {
      yield `${writeFault(this.#explain(error)).body}\n`;
    }
  }

  #explain(error: unknown): Fault {
    if (error instanceof Fault) return error;
    if (error instanceof AssertionError || !(error instanceof Error)) this.#options.onError(error);
    const reason = error instanceof Error ? error.message : String(error);
    return fault(operatorCodes.operatorFailed, { fill: { reason } });
  }
}

function findRoute(
  method: string,
  path: string,
  headers: Record<string, string>,
): Route<Id> & { kind: 'found' } {
  const route = router.find(method, path);
  if (route.kind === 'found') return route;
  if (route.kind === 'none') throw createNotRouted(path);
  headers['allow'] = route.allowed.join(', ');
  throw fault(genericCodes.methodNotAllowed);
}

function decodeNames(path: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(path).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    throw createNotRouted(Object.values(path).join('/'));
  }
}

function write(reply: Reply | PlainReply): ReturnType<typeof writeReply> | PlainReply {
  return reply.kind === 'plain' ? reply : writeReply(reply, []);
}

/** The envelope of an answer as the last of several lines. */
async function* toLine(answered: Promise<Reply | PlainReply>): AsyncGenerator<string, void> {
  const { body } = write(await answered);
  yield `${body as string}\n`;
}

/** Limits progress reports to a reasonable rate. */
function throttle(tell: (progress: Progress) => void): (progress: Progress) => void {
  let toldAtMs = 0;
  return (progress) => {
    const now = realClock.now();
    if (now - toldAtMs < progressMs) return;
    toldAtMs = now;
    tell(progress);
  };
}

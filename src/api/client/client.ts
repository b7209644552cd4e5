/**
 * A client of the API. See the door for what it promises.
 *
 * The functions for the methods differ only in their types. All of them call `#call`, which calls `#send`; only `#send`
 * knows when a request may be retried. Subclasses that send more than calls, such as files, use `sendTo`.
 */
import type {
  Answer,
  CallOptions,
  CallProgress,
  Envelope,
  InputArguments,
  ItemOf,
  Method,
  PathOf,
  PublicRows,
  QueryValue,
  ResultAt,
  Rows,
} from './calls.ts';
import { ApiError, ConnectionError, type ErrorEntry } from './errors.ts';
import { fillPath } from './path.ts';
import { readJsonLines, toStream } from './body-texts.ts';

export interface ClientOptions {
  /** Ends in `/client/v4`. */
  readonly url: string;
  /** Sent with every request; mainly credentials. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  /** How to send a request; the platform's `fetch` by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** How often a retryable request is retried; 0 for programs that retry on their own. */
  readonly retriesMax?: number;
}

type AnyInput = CallOptions & {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
};

const retriesMaxDefault = 3;
/** Doubled for each retry: three retries take less than a second. */
const firstDelayMs = 100;
/** The client does not wait for a server that asks for a longer delay. */
const delayMsMax = 30_000;
const pageSize = 50;
const temporary: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Typed by the rows that it calls: those of the public door by default. */
export class Client<R extends Rows = PublicRows> {
  readonly url: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, '');
    this.#options = options;
  }

  get<P extends PathOf<R, 'GET'>>(
    path: P,
    ...[input]: InputArguments<R, 'GET', P>
  ): Promise<Answer<R, 'GET', P>> {
    return this.#call('GET', path, input);
  }

  post<P extends PathOf<R, 'POST'>>(
    path: P,
    ...[input]: InputArguments<R, 'POST', P>
  ): Promise<Answer<R, 'POST', P>> {
    return this.#call('POST', path, input);
  }

  put<P extends PathOf<R, 'PUT'>>(
    path: P,
    ...[input]: InputArguments<R, 'PUT', P>
  ): Promise<Answer<R, 'PUT', P>> {
    return this.#call('PUT', path, input);
  }

  patch<P extends PathOf<R, 'PATCH'>>(
    path: P,
    ...[input]: InputArguments<R, 'PATCH', P>
  ): Promise<Answer<R, 'PATCH', P>> {
    return this.#call('PATCH', path, input);
  }

  delete<P extends PathOf<R, 'DELETE'>>(
    path: P,
    ...[input]: InputArguments<R, 'DELETE', P>
  ): Promise<Answer<R, 'DELETE', P>> {
    return this.#call('DELETE', path, input);
  }

  /** The items of all pages, whether the list is read by page numbers or by cursors. */
  list<P extends PathOf<R, 'GET'>>(
    path: P,
    ...[input]: InputArguments<R, 'GET', P>
  ): AsyncGenerator<ItemOf<R, P>, void> {
    return this.listAt(path, input);
  }

  /** An answer without the envelope, streamed: exports, lines, events. */
  stream<P extends PathOf<R, 'GET'>>(path: P, ...[input]: InputArguments<R, 'GET', P>): Promise<Response> {
    return this.#send('GET', path, input);
  }

  /** The same for an operation that accepts a file or runs for a long time. */
  exchange<P extends PathOf<R, 'POST'>>(
    path: P,
    ...[input]: InputArguments<R, 'POST', P>
  ): Promise<Response> {
    return this.#send('POST', path, input);
  }

  /** The lines of an answer, each of them JSON, as they arrive. */
  async *lines<M extends 'GET' | 'POST', P extends PathOf<R, M>>(
    method: M,
    path: P,
    ...[input]: InputArguments<R, M, P>
  ): AsyncGenerator<ResultAt<R, M, P>, void> {
    const response = await this.#send(method, path, input);
    yield* this.#readLines<ResultAt<R, M, P>>(response, `${method} ${path}`, input);
  }

  /** A call that is only known at run time: one that a user typed, or a request that the server proposed. */
  ask<T = unknown>(method: Method, target: string, input: AnyInput = {}): Promise<Envelope<T>> {
    return this.#call(method, target, input);
  }

  /** The same for a list. */
  async *listAt<Item>(target: string, input: AnyInput = {}): AsyncGenerator<Item, void> {
    let place: Readonly<Record<string, QueryValue>> = {};
    while (true) {
      const query = { per_page: pageSize, ...input.query, ...place };
      const answer: Envelope<readonly Item[]> = await this.#call('GET', target, { ...input, query });
      yield* answer.result;
      const {
        cursors,
        cursor = cursors?.after ?? '',
        page = 1,
        total_pages: pages = 1,
      } = answer.result_info ?? {};
      if (cursor !== '') place = { cursor };
      else if (answer.result.length > 0 && page < pages) place = { page: page + 1 };
      else return;
    }
  }

  async #call<T>(method: Method, path: string, input: AnyInput = {}): Promise<Envelope<T>> {
    const response = await this.#send(method, path, input);
    const version = response.headers.get('etag') ?? undefined;
    const head = { status: response.status, ...(version === undefined ? {} : { version }) };
    if (response.status === 204) return { ...head, result: undefined as T, messages: [] };
    const envelope = isInLines(response)
      ? await this.#readLast<Envelope<T>>(response, `${method} ${path}`, input)
      : await this.#readEnvelope<Envelope<T>>(response);
    return { ...envelope, messages: envelope.messages ?? [], ...head };
  }

  async #send(method: Method, path: string, input: AnyInput = {}): Promise<Response> {
    const { retriesMax = retriesMaxDefault } = this.#options;
    for (let repeated = 0; ; repeated++) {
      try {
        return await this.#sendOnce(method, path, input);
      } catch (error) {
        const delayMs = chooseDelay(error, method, repeated);
        if (delayMs === undefined || repeated >= retriesMax || input.signal?.aborted === true) throw error;
        await wait(delayMs, input.signal);
      }
    }
  }

  async #sendOnce(method: Method, path: string, input: AnyInput): Promise<Response> {
    const { headers = {} } = this.#options;
    const { query, body, signal, version, reason = '', content, contentType, onProgress } = input;
    const target = fillPath(path, input as Readonly<Record<string, unknown>>, query);
    const init: RequestInit = {
      method,
      headers: {
        ...(typeof headers === 'function' ? headers() : headers),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...(version === undefined ? {} : { 'if-match': version }),
        ...(reason === '' ? {} : { 'x-change-reason': encodeURIComponent(reason) }),
        ...(onProgress === undefined ? {} : { prefer: 'progress' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(content === undefined ? {} : { body: toStream(content), duplex: 'half' }),
      ...(signal === undefined ? {} : { signal }),
    };
    return await this.sendTo(`${this.url}${target}`, init, { call: `${method} ${target}`, isApi: true });
  }

  /** Sends one request unchanged. Unless `isApi`, an error response need not be in the envelope. */
  protected async sendTo(
    url: string,
    init: RequestInit,
    { call, isApi }: { readonly call: string; readonly isApi: boolean },
  ): Promise<Response> {
    const { fetch: send = fetch } = this.#options;
    const response = await send(url, init).catch((error: unknown) => {
      if (init.signal?.aborted === true || error instanceof ConnectionError) throw error;
      throw this.#createSilence(error);
    });
    if (response.ok) return response;
    const envelope = this.#readEnvelope<Refusal>(response);
    const { errors, messages = [] } = await (isApi
      ? envelope
      : envelope.catch((): Refusal => ({ errors: [] })));
    throw new ApiError(call, {
      status: response.status,
      errors,
      messages,
      version: response.headers.get('etag') ?? undefined,
      retryAfterMs: readRetryAfter(response),
    });
  }

  async #readEnvelope<T>(response: Response): Promise<T> {
    const text = await response.text().catch((error: unknown) => {
      throw this.#createSilence(error);
    });
    try {
      const envelope = JSON.parse(text) as T & Partial<Refusal>;
      if (!Array.isArray(envelope.errors)) throw new SyntaxError('there is no list of errors');
      return envelope;
    } catch (cause) {
      throw new ConnectionError(
        `${this.url} is not the API: status ${response.status} without its envelope; its URL ends in /client/v4`,
        { cause },
      );
    }
  }

  async *#readLines<T>(
    { body }: Response,
    call: string,
    { onProgress }: AnyInput = {},
  ): AsyncGenerator<T, void> {
    try {
      for await (const line of readJsonLines(body)) {
        if ('progress' in line) onProgress?.(line['progress'] as CallProgress);
        else if (line['success'] === false)
          throw new ApiError(call, { status: 200, ...(line as unknown as Refusal) });
        else yield line as T;
      }
    } catch (error) {
      throw error instanceof ApiError ? error : this.#createSilence(error);
    }
  }

  async #readLast<T>(response: Response, call: string, input: AnyInput): Promise<T> {
    let last: T | undefined;
    for await (const line of this.#readLines<T>(response, call, input)) last = line;
    if (last === undefined)
      throw this.#createSilence(new Error('the connection ended before the work was done'));
    return last;
  }

  #createSilence(cause: unknown): ConnectionError {
    const reason = cause instanceof Error ? describeCause(cause) : String(cause);
    return new ConnectionError(`${this.url} does not answer: ${reason}`, { cause });
  }
}

interface Refusal {
  readonly errors: readonly ErrorEntry[];
  readonly messages?: readonly ErrorEntry[];
}

function isInLines({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/x-ndjson') === true;
}

/** `fetch` wraps the actual cause in an error of its own. */
function describeCause(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message || String(error);
}

/** Undefined if the request must not be retried. */
function chooseDelay(error: unknown, method: Method, repeated: number): number | undefined {
  const backOffMs = firstDelayMs * 2 ** repeated;
  if (error instanceof ConnectionError) return method === 'GET' ? backOffMs : undefined;
  if (!(error instanceof ApiError) || !temporary.has(error.status)) return undefined;
  if (method !== 'GET' && error.status !== 429) return undefined;
  const delayMs = Math.max(backOffMs, error.retryAfterMs ?? 0);
  return delayMs > delayMsMax ? undefined : delayMs;
}

function readRetryAfter({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  signal?.addEventListener('abort', () => {
    clearTimeout(timer);
    reject(signal.reason as Error);
  });
  return promise;
}

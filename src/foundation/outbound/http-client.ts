/**
 * The HTTP client of this program: every request to an external server is sent here, except those of the edge to
 * origins, which reuse the connections of a pool.
 *
 * - Every request has rules for addresses, which each address is checked against when it is connected to, also after a
 *   redirect.
 * - Redirects are followed if the caller wants them. Headers, which may contain credentials, are only sent to the server
 *   that was named, and an `https:` URL never leads to an `http:` one.
 */
import { once } from 'node:events';
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { portOf } from '#listeners';
import { ConnectionForbiddenError, guardPlace } from './guarded-lookup.ts';
import { type ServerTrust, toTlsOptions } from './open-connection.ts';
import { OriginRules } from './origin-rules.ts';

export interface OutboundRequest extends ServerTrust {
  /** `http:` or `https:`. */
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
  readonly rules: OriginRules;
  /** From looking up the name to the last byte of the answer; without it, only `signal` ends the request. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** How many redirects are followed, none by default. */
  readonly redirectsMax?: number;
  /** Without it, the request has a connection of its own. */
  readonly connections?: KeptConnections;
}

export interface OutboundAnswer<Body = Buffer> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** The rules for servers that the operator names: private networks are allowed. */
export const operatorRules = new OriginRules({ allowPrivate: true });

/** No answer, or not all of it. The cause is the error of the system, whose code it has. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly code: string | undefined;

  constructor(host: string, cause: Error, reason = cause.message) {
    super(`no answer from ${host}: ${reason}`, { cause });
    this.code = (cause as NodeJS.ErrnoException).code;
  }
}

/** Connections that stay open for further requests. All requests over them have the same rules and the same trust. */
export class KeptConnections implements Disposable {
  readonly #plain: Agent;
  readonly #secure: SecureAgent;

  constructor({ connectionsMax = Infinity }: { readonly connectionsMax?: number } = {}) {
    const options = { keepAlive: true, maxSockets: connectionsMax };
    this.#plain = new Agent(options);
    this.#secure = new SecureAgent(options);
  }

  agentFor({ protocol }: URL): Agent {
    return protocol === 'https:' ? this.#secure : this.#plain;
  }

  [Symbol.dispose](): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

/** Resolves with the whole answer. A body that is longer than `bytesMax` is an error. */
export async function sendRequest({
  bytesMax,
  ...request
}: OutboundRequest & { readonly bytesMax: number }): Promise<OutboundAnswer> {
  const answer = await openRequest(request);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new RangeError(`the answer is longer than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof RangeError ? error : toNoAnswer(error as Error, request);
  }
  return { ...answer, body: Buffer.concat(chunks) };
}

/** Resolves with the head of the answer. The caller reads its body, or destroys it. */
export async function openRequest(request: OutboundRequest): Promise<OutboundAnswer<IncomingMessage>> {
  const { timeoutMs, signal: given } = request;
  const deadline = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([deadline, given].filter((each) => each !== undefined));
  let url = new URL(request.url);
  let asked = request;
  try {
    for (let redirectsLeft = request.redirectsMax ?? 0; ; redirectsLeft--) {
      const incoming = await sendOnce(asked, url, signal);
      const { statusCode: status = 0, headers } = incoming;
      const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
      if (!isRedirect || redirectsLeft === 0) return { status, headers, body: incoming };
      incoming.on('error', () => {}).destroy();
      const next = new URL(headers.location!, url);
      if (url.protocol === 'https:' && next.protocol !== 'https:')
        throw new TypeError(`${url.host} redirects from https:// to ${next.protocol}//`);
      if (next.origin !== url.origin) asked = { ...request, headers: {} };
      url = next;
    }
  } catch (error) {
    throw toNoAnswer(error as Error, { ...request, url: url.href });
  }
}

/** In the form of the platform's `fetch`, for clients that take one. Redirects are not followed. */
export function createFetch(
  base: Pick<OutboundRequest, 'rules' | 'connections' | 'trusted' | 'isPinned'>,
): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, { method, headers, body, signal }) => {
    const { status, body: incoming } = await openRequest({
      ...base,
      url,
      method,
      headers: headers as Record<string, string>,
      body: body as OutboundRequest['body'],
      signal: signal ?? undefined,
    });
    const fields = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value) => [name, value] as [string, string]),
    );
    const hasBody = ![204, 205, 304].includes(status);
    if (!hasBody) incoming.resume();
    return new Response(hasBody ? (Readable.toWeb(incoming) as ReadableStream) : null, {
      status,
      headers: fields,
    });
  };
}

async function sendOnce(request: OutboundRequest, url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`a request cannot be sent to ${url.protocol}//: use http:// or https://`);
  const { rules, body, connections, method = 'GET', headers } = request;
  const isStream = body instanceof ReadableStream;
  const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)({
    ...guardPlace(rules, url.hostname, portOf(url)),
    ...toTlsOptions(request),
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      'user-agent': 'Gatehouse',
      ...headers,
      ...(body === undefined || isStream ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    agent: connections?.agentFor(url) ?? false,
    signal,
  });
  if (isStream)
    Readable.from(body)
      .on('error', (error) => sent.destroy(error))
      .pipe(sent);
  else sent.end(body);
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  } finally {
    // What happens after the head is reported by the answer.
    sent.on('error', () => {});
  }
}

function toNoAnswer(error: Error, { url, timeoutMs, signal }: OutboundRequest): Error {
  if (error instanceof ConnectionForbiddenError || error instanceof TypeError) return error;
  const { host } = new URL(url);
  // A name has several addresses, and none of them answered.
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const isAborted = cause.name === 'AbortError' || cause.name === 'TimeoutError';
  if (!isAborted) return new NoAnswerError(host, cause);
  if (signal?.aborted === true) return cause;
  const late = Object.assign(new Error('it took too long', { cause }), { code: 'ETIMEDOUT' });
  return new NoAnswerError(host, late, `it took longer than ${timeoutMs! / 1_000} s`);
}

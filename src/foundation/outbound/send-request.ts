/** One HTTP request to an external server, with a deadline for everything and a limit on the answer. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { portOf } from '#base';
import { normaliseHost, type OriginRules } from './origin-rules.ts';
import { checkEndpoint, lookUpAllowed } from './guarded-lookup.ts';

export interface OutboundRequest {
  /** `http:` or `https:`. */
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly rules: OriginRules;
  /** From looking up the name to the last byte of the answer. */
  readonly timeoutMs: number;
  /** The maximum length of the answer's body: a longer one is an error. */
  readonly bytesMax: number;
  /** How many redirects are followed, none by default; each is checked like the first address. */
  readonly redirectsMax?: number;
  /** Whether the certificate of the server is checked, by default true. */
  readonly isVerified?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export async function sendRequest(request: OutboundRequest): Promise<OutboundAnswer> {
  const deadline = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]);
  let { url } = request;
  let asked = request;
  try {
    for (let redirectsLeft = request.redirectsMax ?? 0; ; redirectsLeft--) {
      const answer = await sendOnce(asked, url, signal);
      const { location } = answer.headers;
      const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
      if (!isRedirect || redirectsLeft === 0) return answer;
      const next = new URL(location, url);
      // Credentials are only for the server that the user named.
      if (next.origin !== new URL(url).origin) asked = { ...request, headers: {} };
      url = next.href;
    }
  } catch (error) {
    throw deadline.aborted
      ? new Error(`no complete response within ${request.timeoutMs / 1_000} s`, { cause: error })
      : error;
  }
}

async function sendOnce(
  request: OutboundRequest,
  target: string,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const url = new URL(target);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`a request cannot be sent to ${url.protocol}//: use http:// or https://`);
  const isSecure = url.protocol === 'https:';
  const port = portOf(url);
  const { rules, body } = request;
  const hostname = normaliseHost(url.hostname);
  checkEndpoint(rules, hostname, port);
  const sent = (isSecure ? requestHttps : requestHttp)({
    hostname,
    port,
    path: `${url.pathname}${url.search}`,
    method: request.method ?? 'GET',
    headers: {
      'user-agent': 'Gatehouse',
      ...request.headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    agent: false,
    signal,
    ...(request.isVerified === false ? { rejectUnauthorized: false } : {}),
    ...(isIP(hostname) === 0 ? { lookup: lookUpAllowed(rules, port) } : {}),
  });
  sent.end(body);
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: await readBody(answer, request.bytesMax),
    };
  } finally {
    sent.on('error', () => {}).destroy();
  }
}

async function readBody(answer: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new RangeError(`the answer is longer than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

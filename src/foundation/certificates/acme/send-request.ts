/** One request to an authority or a webhook, bounded in time and bytes; TLS can trust a private authority. */
import { request as requestPlainly } from 'node:http';
import { request } from 'node:https';
import { AcmeError } from './acme-error.ts';
import { answerBytesMax, answerMsMax } from './limits.ts';

export interface SentRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  /** JSON; for POST. */
  readonly body?: string;
  readonly contentType?: 'application/jose+json' | 'application/json';
  readonly authorization?: string;
  /** PEM certificates to trust besides those of the system. */
  readonly trusted?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Authorities refuse requests without this header (RFC 8555, section 6.1). */
const userAgent = 'Gatehouse';

export function sendRequest(sent: SentRequest): Promise<Received> {
  const { method, url, body, contentType = 'application/jose+json', authorization, trusted, signal } = sent;
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const target = new URL(url);
  const send = target.protocol === 'http:' ? requestPlainly : request;
  const timeout = AbortSignal.timeout(answerMsMax);
  const outgoing = send(target, {
    method,
    headers: {
      'user-agent': userAgent,
      ...(body === undefined
        ? {}
        : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(trusted === undefined ? {} : { ca: trusted }),
  });
  const fail = (error: Error): void =>
    reject(new AcmeError('unreachable', `no answer from ${target.host}: ${error.message}`));
  outgoing.on('error', fail);
  outgoing.on('response', (incoming) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('error', fail);
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > answerBytesMax) return incoming.destroy(new Error(`more than ${answerBytesMax} bytes`));
      chunks.push(chunk);
    });
    incoming.on('end', () =>
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        text: Buffer.concat(chunks).toString(),
      }),
    );
  });
  outgoing.end(body);
  return promise;
}

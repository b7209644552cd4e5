/** A described request, in a test or in a program that has the request from another source. */
import { inspectedBodyBytesMax, type RequestDescription, splitUri } from '#request';
import { bytesOf } from '#text';
import type { HeaderField, InspectedBody } from '../../wire/exchange.ts';
import { type IncomingHead, listValues } from '../incoming.ts';

/** Text is encoded as UTF-8. `ip` is the client. */
export type DescribedRequest = Pick<
  RequestDescription,
  'method' | 'url' | 'version' | 'headers' | 'body' | 'ip' | 'receivedAt'
>;

export function toHead(request: DescribedRequest): IncomingHead {
  const { method = 'GET', url = '/', version = 'HTTP/1.1', ip = '', receivedAt } = request;
  const { scheme, authority } = splitUri(bytesOf(url));
  const headers = toPairs(request.headers ?? []);
  const hasHost = listValues(headers, 'host').length > 0;
  return {
    method: bytesOf(method),
    target: bytesOf(url),
    httpVersion: version === 'HTTP/2' ? '2' : version === 'HTTP/1.0' ? '1.0' : '1.1',
    headers: hasHost || authority === '' ? headers : [['host', authority], ...headers],
    peerAddress: ip,
    isSecure: scheme === 'https',
    ...(receivedAt === undefined ? {} : { receivedAtMs: receivedAt }),
    body: request.body === undefined ? undefined : { declaredLength: toBytes(request).length },
  };
}

export function toBody(request: DescribedRequest): InspectedBody {
  const bytes = toBytes(request);
  return {
    bytes: bytes.subarray(0, inspectedBodyBytesMax),
    isTruncated: bytes.length > inspectedBodyBytesMax,
    declaredLength: bytes.length,
  };
}

function toBytes({ body = '' }: DescribedRequest): Buffer {
  return typeof body === 'string'
    ? Buffer.from(body)
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

function toPairs(headers: NonNullable<DescribedRequest['headers']>): readonly HeaderField[] {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return pairs.flatMap(([name, values]) =>
    [values].flat().map((value): HeaderField => [bytesOf(name), bytesOf(value)]),
  );
}

/**
 * A request from a description, for tests, `expr test` and explanations: fields that follow from the description are
 * computed when they are read, all others have their defaults.
 *
 * ```ts
 * const request = requestFrom({ url: 'https://example.com/login?next=%2f', headers: { 'User-Agent': 'curl' } });
 * ```
 */
import { bytesOf } from '#text';
import { RequestView, type Value } from '#expressions';
import type { Pairs } from './pairs.ts';
import { parseClientAddress } from './client-address.ts';
import { inspectedBodyBytesMax } from './limits.ts';
import { RequestFields } from './request-fields.ts';
import { splitUri } from './uri.ts';
import { defaultUrlNormalization, normalizePath } from './url-normalization.ts';

export type HeaderField = readonly [name: string, value: string];

/**
 * The common properties of requests on the wire, in recordings and before rules. Text is binary strings, one character
 * per byte.
 */
export interface RequestMessage {
  readonly method: string;
  /** As received: path and query, or `*`. */
  readonly target: string;
  /** The wire accepts the first two; recordings, and frameworks with an embedded firewall, also the last. */
  readonly httpVersion: '1.0' | '1.1' | '2';
  /** In their original order and case. */
  readonly headers: readonly HeaderField[];
}

/** The description of a request. Its text is encoded as UTF-8. */
export interface RequestDescription {
  readonly method?: string;
  /** An absolute URL, or a path with a query. */
  readonly url?: string;
  /** The path that rules judge, as bytes; the normalised path of the URL by default. */
  readonly path?: string;
  readonly version?: string;
  readonly headers?: HeadersDescription;
  readonly body?: string | Uint8Array;
  readonly ip?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly asn?: number;
  /** In milliseconds since 1970. */
  readonly receivedAt?: number;
  readonly response?: { readonly status?: number; readonly headers?: HeadersDescription };
  /** Values by field, which replace the computed ones. Strings are bytes. */
  readonly fields?: ReadonlyMap<string, Value>;
}

export type HeadersDescription =
  | readonly (readonly [name: string, value: string])[]
  | Readonly<Record<string, string | readonly string[]>>;

export function requestFrom(description: RequestDescription): RequestView {
  const { method = 'GET', url = '/', version = 'HTTP/1.1', body = '', fields, response } = description;
  const bytes = typeof body === 'string' ? bytesOf(body) : Buffer.from(body).toString('latin1');
  const uri = splitUri(bytesOf(url));
  return new RequestView(
    new RequestFields({
      method: bytesOf(method),
      version: bytesOf(version),
      uri,
      path: description.path ?? normalizePath(uri.path, defaultUrlNormalization.type),
      headers: toPairs(description.headers ?? []),
      body: bytes.slice(0, inspectedBodyBytesMax),
      bodySize: bytes.length,
      isBodyTruncated: bytes.length > inspectedBodyBytesMax,
      ip: parseClientAddress(description.ip),
      place: { country: bytesOf(description.country ?? ''), asn: description.asn },
      receivedAtMs: description.receivedAt ?? 0,
      response: { status: response?.status, headers: toPairs(response?.headers ?? []) },
      ...(fields === undefined ? {} : { known: (key: string) => fields.get(key) }),
    }),
  );
}

function toPairs(headers: HeadersDescription): Pairs {
  const pairs = Array.isArray(headers)
    ? (headers as Pairs)
    : Object.entries(headers as Readonly<Record<string, string | readonly string[]>>).flatMap(
        ([name, values]) => [values].flat().map((value) => [name, value] as const),
      );
  return pairs.map(([name, value]) => [bytesOf(name), bytesOf(value)] as const);
}

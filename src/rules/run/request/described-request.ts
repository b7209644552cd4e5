/**
 * A request from a description, for tests, `expr test` and explanations: every field that follows from what the
 * description says is computed when it is asked for, all others have their defaults.
 *
 * ```ts
 * const request = requestFrom({ url: 'https://example.com/login?next=%2f', headers: { 'User-Agent': 'curl' } });
 * ```
 */
import { lowerAscii } from '../../ascii.ts';
import { bytesOf, Ip, parseIp, type Value } from '../../values.ts';
import { headerOfParts, parameterOfParts, type Part, partsOf, sniffedType } from './body.ts';
import { cookiesOf, headerText, languagesOf, mediaTypeOf } from './headers.ts';
import { mapOf, namesOf, type Pairs, pairsOfQuery, valuesOf } from './pairs.ts';
import { extensionOf, joinUri, normalizePath, splitUri, type UriParts } from './uri.ts';
import { type FieldSource, RequestView } from './view.ts';

/** Text is taken as UTF-8. */
export interface RequestDescription {
  readonly method?: string;
  /** Absolute, or a path with a query. */
  readonly url?: string;
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
  /** Values by field, instead of what would follow from the rest. Strings in it are bytes. */
  readonly fields?: ReadonlyMap<string, Value>;
}

export type HeadersDescription =
  | readonly (readonly [name: string, value: string])[]
  | Readonly<Record<string, string | readonly string[]>>;

export function requestFrom(description: RequestDescription): RequestView {
  return new RequestView(new DescribedRequest(description));
}

/** Fields show so much of a body, the most of any plan of the original. */
export const bodyBytesMax = 128 * 1024;

class DescribedRequest implements FieldSource {
  readonly description: RequestDescription;
  readonly received: UriParts;
  /** As rules see it. */
  readonly uri: UriParts;
  readonly headers: Pairs;
  readonly host: string;
  readonly body: string;
  readonly response: Pairs;
  #parts: readonly Part[] | undefined;

  constructor(description: RequestDescription) {
    this.description = description;
    this.received = splitUri(bytesOf(description.url ?? '/'));
    this.uri = { ...this.received, path: normalizePath(this.received.path) };
    this.headers = pairsOf(description.headers ?? []);
    this.host = headerText(this.headers, 'host') || this.received.authority;
    const { body = '' } = description;
    this.body = typeof body === 'string' ? bytesOf(body) : Buffer.from(body).toString('latin1');
    this.response = pairsOf(description.response?.headers ?? []);
  }

  read(key: string): Value | undefined {
    return this.description.fields?.get(key) ?? readers.get(key)?.(this);
  }

  get parts(): readonly Part[] {
    if (this.mediaType !== 'multipart/form-data') return [];
    return (this.#parts ??= partsOf(this.bodySeen, headerText(this.headers, 'content-type')));
  }

  get form(): Pairs {
    return this.mediaType === 'application/x-www-form-urlencoded' ? pairsOfQuery(this.bodySeen) : [];
  }

  get mediaType(): string {
    return mediaTypeOf(headerText(this.headers, 'content-type'));
  }

  get bodySeen(): string {
    return this.body.slice(0, bodyBytesMax);
  }

  fullUri(uri: UriParts): string {
    return `${uri.scheme || 'http'}://${this.host}${joinUri(uri)}`;
  }
}

function pairsOf(headers: HeadersDescription): Pairs {
  const pairs = Array.isArray(headers)
    ? (headers as Pairs)
    : Object.entries(headers as Readonly<Record<string, string | readonly string[]>>).flatMap(
        ([name, values]) => [values].flat().map((value) => [name, value] as const),
      );
  return pairs.map(([name, value]) => [bytesOf(name), bytesOf(value)] as const);
}

/** The address of a client; one of IPv4 that comes mapped into IPv6 is IPv4. */
function clientAddress(text: string | undefined): Ip | undefined {
  const ip = text === undefined ? undefined : parseIp(text);
  if (ip?.family === 6 && ip.w0 === 0 && ip.w1 === 0 && ip.w2 === 0xffff) return new Ip(4, ip.w3);
  return ip;
}

const europeanUnion = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '),
);

const lowered = (pairs: Pairs): Pairs => pairs.map(([name, value]) => [lowerAscii(name), value] as const);

type Reader = (request: DescribedRequest) => Value | undefined;

/** A map, its names and its values. */
function pairReaders(
  key: string,
  pairs: (request: DescribedRequest) => Pairs,
  map = pairs,
): [string, Reader][] {
  return [
    [key, (request) => mapOf(map(request))],
    [`${key}.names`, (request) => namesOf(pairs(request))],
    [`${key}.values`, (request) => valuesOf(pairs(request))],
  ];
}

function uriReaders(prefix: string, uriOf: (request: DescribedRequest) => UriParts): [string, Reader][] {
  return [
    [`${prefix}.full_uri`, (request) => request.fullUri(uriOf(request))],
    [`${prefix}.uri`, (request) => joinUri(uriOf(request))],
    [`${prefix}.uri.path`, (request) => uriOf(request).path],
    [`${prefix}.uri.query`, (request) => uriOf(request).query ?? ''],
    ...pairReaders(`${prefix}.uri.args`, (request) => pairsOfQuery(uriOf(request).query ?? '')),
  ];
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['http.host', ({ host }) => host],
  ['http.request.method', ({ description }) => bytesOf(description.method ?? 'GET')],
  ['http.request.version', ({ description }) => bytesOf(description.version ?? 'HTTP/1.1')],
  ...uriReaders('http.request', ({ uri }) => uri),
  ...uriReaders('raw.http.request', ({ received }) => received),
  ['http.request.uri.path.extension', ({ uri }) => lowerAscii(extensionOf(uri.path))],
  ['raw.http.request.uri.path.extension', ({ received }) => extensionOf(received.path)],
  ...pairReaders(
    'http.request.headers',
    ({ headers }) => headers,
    ({ headers }) => lowered(headers),
  ),
  ...pairReaders(
    'raw.http.request.headers',
    ({ headers }) => headers,
    ({ headers }) => lowered(headers),
  ),
  ['http.request.cookies', ({ headers }) => mapOf(cookiesOf(headerText(headers, 'cookie', '; ')))],
  ['http.cookie', ({ headers }) => headerText(headers, 'cookie', '; ')],
  ['http.referer', ({ headers }) => headerText(headers, 'referer')],
  ['http.user_agent', ({ headers }) => headerText(headers, 'user-agent')],
  ['http.x_forwarded_for', ({ headers }) => headerText(headers, 'x-forwarded-for')],
  ['http.request.accepted_languages', ({ headers }) => languagesOf(headerText(headers, 'accept-language'))],
  ['http.request.timestamp.sec', ({ description }) => Math.floor((description.receivedAt ?? 0) / 1000)],
  ['http.request.timestamp.msec', ({ description }) => Math.floor(description.receivedAt ?? 0) % 1000],
  ['ssl', ({ uri }) => uri.scheme === 'https'],
  ['cf.edge.client_tcp', ({ description }) => description.version !== 'HTTP/3'],
  ['ip.src', ({ description }) => clientAddress(description.ip)],
  ['ip.src.asnum', ({ description }) => description.asn],
  ['ip.src.country', ({ description }) => bytesOf(description.country ?? '')],
  ['ip.src.is_in_european_union', ({ description }) => europeanUnion.has(description.country ?? '')],
  ['http.request.body.raw', ({ bodySeen }) => bodySeen],
  ['http.request.body.truncated', ({ body }) => body.length > bodyBytesMax],
  ['http.request.body.size', ({ body }) => body.length],
  ['http.request.body.mime', ({ bodySeen }) => sniffedType(bodySeen)],
  ...pairReaders('http.request.body.form', ({ form }) => form),
  [
    'http.request.body.multipart',
    ({ parts }) =>
      mapOf(
        parameterOfParts(parts, 'name').flatMap(([name], part) =>
          name === undefined ? [] : [[name, parts[part]!.content]],
        ),
      ),
  ],
  ['http.request.body.multipart.names', ({ parts }) => parameterOfParts(parts, 'name')],
  ['http.request.body.multipart.filenames', ({ parts }) => parameterOfParts(parts, 'filename')],
  ['http.request.body.multipart.values', ({ parts }) => parts.map(({ content }) => content)],
  ['http.request.body.multipart.content_types', ({ parts }) => headerOfParts(parts, 'content-type')],
  [
    'http.request.body.multipart.content_dispositions',
    ({ parts }) => headerOfParts(parts, 'content-disposition'),
  ],
  [
    'http.request.body.multipart.content_transfer_encodings',
    ({ parts }) => headerOfParts(parts, 'content-transfer-encoding'),
  ],
  ['http.response.code', ({ description }) => description.response?.status],
  ...pairReaders(
    'http.response.headers',
    ({ response }) => response,
    ({ response }) => lowered(response),
  ),
  ...pairReaders(
    'raw.http.response.headers',
    ({ response }) => response,
    ({ response }) => lowered(response),
  ),
  [
    'http.response.content_type.media_type',
    ({ response }) => mediaTypeOf(headerText(response, 'content-type')),
  ],
]);

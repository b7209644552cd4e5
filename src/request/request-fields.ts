/**
 * Every field that follows from a request's bytes and from who sent it, computed when it is asked for. Where the request comes
 * from, the wire or a description, makes no difference.
 */
import { lowerAscii, type Ip } from '#base';
import type { FieldSource, Value } from '#expressions';
import { headerOfParts, parameterOfParts, type Part, partsOf, sniffedType } from './body.ts';
import { cookiesOf, headerText, languagesOf, mediaTypeOf, withLowerNames } from './headers.ts';
import { mapOf, namesOf, type Pairs, pairsOfQuery, valuesOf } from './pairs.ts';
import { looksLikeJson, withoutJsonEscapes } from './json-escapes.ts';
import { extensionOf, joinUri, normalizePath, type UriParts } from './uri.ts';

/** What is known of a request. Text is binary strings, one character per byte. */
export interface RequestFacts {
  readonly method: string;
  /** `HTTP/1.1` */
  readonly version: string;
  /** As received. */
  readonly uri: UriParts;
  readonly headers: Pairs;
  /** As much of it as rules see. */
  readonly body: string;
  /** Of the whole body, as far as it is known. */
  readonly bodySize: number;
  readonly isBodyTruncated: boolean;
  readonly ip: Ip | undefined;
  /** ISO 3166-1 alpha-2, empty if unknown. */
  readonly country: string;
  readonly asn: number | undefined;
  readonly receivedAtMs: number;
  readonly response: { readonly status: number | undefined; readonly headers: Pairs };
  /** Asked before anything else, for what only the source knows. */
  readonly known?: (key: string) => Value | undefined;
}

/** Fields show so much of a body, the most of any plan of the original. */
export const bodyBytesMax = 128 * 1024;

export class RequestFields implements FieldSource {
  readonly facts: RequestFacts;
  #uri: UriParts | undefined;
  #host: string | undefined;
  #parts: readonly Part[] | undefined;

  constructor(facts: RequestFacts) {
    this.facts = facts;
  }

  read(key: string): Value | undefined {
    return this.facts.known?.(key) ?? readers.get(key)?.(this);
  }

  /** As rules see it. */
  get uri(): UriParts {
    const { uri } = this.facts;
    return (this.#uri ??= { ...uri, path: normalizePath(uri.path) });
  }

  get host(): string {
    return (this.#host ??= headerText(this.facts.headers, 'host') || this.facts.uri.authority);
  }

  get parts(): readonly Part[] {
    if (this.mediaType !== 'multipart/form-data') return [];
    return (this.#parts ??= partsOf(this.facts.body, headerText(this.facts.headers, 'content-type')));
  }

  get form(): Pairs {
    return this.mediaType === 'application/x-www-form-urlencoded' ? pairsOfQuery(this.facts.body) : [];
  }

  /** The body with the escapes of JSON undone, if it is JSON or begins like it. */
  get text(): string {
    const { body } = this.facts;
    return body.includes('\\') && looksLikeJson(this.mediaType, body) ? withoutJsonEscapes(body) : body;
  }

  get mediaType(): string {
    return mediaTypeOf(headerText(this.facts.headers, 'content-type'));
  }

  fullUri(uri: UriParts): string {
    return `${uri.scheme || 'http'}://${this.host}${joinUri(uri)}`;
  }
}

const europeanUnion = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '),
);

type Reader = (request: RequestFields) => Value | undefined;

/** A map, its names and its values. */
function pairReaders(key: string, pairs: (request: RequestFields) => Pairs, map = pairs): [string, Reader][] {
  return [
    [key, (request) => mapOf(map(request))],
    [`${key}.names`, (request) => namesOf(pairs(request))],
    [`${key}.values`, (request) => valuesOf(pairs(request))],
  ];
}

function uriReaders(prefix: string, uriOf: (request: RequestFields) => UriParts): [string, Reader][] {
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
  ['http.request.method', ({ facts }) => facts.method],
  ['http.request.version', ({ facts }) => facts.version],
  ...uriReaders('http.request', ({ uri }) => uri),
  ...uriReaders('raw.http.request', ({ facts }) => facts.uri),
  ['http.request.uri.path.extension', ({ uri }) => lowerAscii(extensionOf(uri.path))],
  ['raw.http.request.uri.path.extension', ({ facts }) => extensionOf(facts.uri.path)],
  ...pairReaders(
    'http.request.headers',
    ({ facts }) => facts.headers,
    ({ facts }) => withLowerNames(facts.headers),
  ),
  ...pairReaders(
    'raw.http.request.headers',
    ({ facts }) => facts.headers,
    ({ facts }) => withLowerNames(facts.headers),
  ),
  ['http.request.cookies', ({ facts }) => mapOf(cookiesOf(headerText(facts.headers, 'cookie', '; ')))],
  ['http.cookie', ({ facts }) => headerText(facts.headers, 'cookie', '; ')],
  ['http.referer', ({ facts }) => headerText(facts.headers, 'referer')],
  ['http.user_agent', ({ facts }) => headerText(facts.headers, 'user-agent')],
  ['http.x_forwarded_for', ({ facts }) => headerText(facts.headers, 'x-forwarded-for')],
  [
    'http.request.accepted_languages',
    ({ facts }) => languagesOf(headerText(facts.headers, 'accept-language')),
  ],
  ['http.request.timestamp.sec', ({ facts }) => Math.floor(facts.receivedAtMs / 1000)],
  ['http.request.timestamp.msec', ({ facts }) => Math.floor(facts.receivedAtMs) % 1000],
  ['ssl', ({ uri }) => uri.scheme === 'https'],
  ['cf.edge.client_tcp', ({ facts }) => facts.version !== 'HTTP/3'],
  ['ip.src', ({ facts }) => facts.ip],
  ['ip.src.asnum', ({ facts }) => facts.asn],
  ['ip.src.country', ({ facts }) => facts.country],
  ['ip.src.is_in_european_union', ({ facts }) => europeanUnion.has(facts.country)],
  ['http.request.body.raw', ({ facts }) => facts.body],
  ['gatehouse.request.body.text', (fields) => fields.text],
  ['http.request.body.truncated', ({ facts }) => facts.isBodyTruncated],
  ['http.request.body.size', ({ facts }) => facts.bodySize],
  ['http.request.body.mime', ({ facts }) => sniffedType(facts.body)],
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
  ['http.response.code', ({ facts }) => facts.response.status],
  ...pairReaders(
    'http.response.headers',
    ({ facts }) => facts.response.headers,
    ({ facts }) => withLowerNames(facts.response.headers),
  ),
  ...pairReaders(
    'raw.http.response.headers',
    ({ facts }) => facts.response.headers,
    ({ facts }) => withLowerNames(facts.response.headers),
  ),
  [
    'http.response.content_type.media_type',
    ({ facts }) => mediaTypeOf(headerText(facts.response.headers, 'content-type')),
  ],
]);

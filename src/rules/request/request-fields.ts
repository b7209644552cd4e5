/**
 * Every field that is computed from the bytes of a request and from its sender, when it is read. It makes no difference
 * whether the request comes from the wire or from a description.
 */
import type { Ip } from '#addresses';
import { decodeJsonEscapes, lowerAscii } from '#text';
import { suspectSteps } from '#work';
import type {
  FieldSource,
  PartName,
  ReferredExtent,
  ReferredRequest,
  RewrittenUri,
  Value,
} from '#expressions';
import { attackKinds } from '#detection';
import { type Attacks, findAttacks, type LookAtLearned } from './attacks.ts';
import { sniffType } from './body.ts';
import { parseCookies, joinHeader, parseLanguages, parseMediaType, lowerNames } from './headers.ts';
import { toMap, listNames, type Pairs, parseQuery, listValues } from './pairs.ts';
import { looksLikeJson } from './json-parts.ts';
import { type FormPart, readMultipart, readPartHeader } from './arguments/multipart.ts';
import { leaveOutParts } from './arguments/left-out-parts.ts';
import { bareHeadersForPage, findReferredPage, headersForPage, type ReferredPage } from './referred-page.ts';
import { findExtension, joinUri, type UriParts } from './uri.ts';
import { defaultUrlNormalization, normalizePath } from './url-normalization.ts';

/** The location of the sender, if known; may be looked up on demand. */
interface SenderPlace {
  /** ISO 3166-1 alpha-2, empty if unknown. */
  readonly country: string;
  readonly asn: number | undefined;
}

/** The input for the fields of a request. Text is binary strings, one character per byte. */
export interface RequestFacts {
  readonly method: string;
  /** `HTTP/1.1` */
  readonly version: string;
  /** The URI as received. */
  readonly uri: UriParts;
  /** The path that rules judge; `uri` has the received one. */
  readonly path: string;
  /** The query that rules judge, if it differs from that of `uri`; empty for none. */
  readonly query?: string | undefined;
  readonly headers: Pairs;
  /** The part of the body that rules see, in one of its readings (`readBody`). */
  readonly body: string;
  /** The size of the whole body as sent, if known. */
  readonly bodySize: number;
  readonly isBodyTruncated: boolean;
  readonly ip: Ip | undefined;
  readonly place: SenderPlace;
  readonly receivedAtMs: number;
  readonly response: { readonly status: number | undefined; readonly headers: Pairs };
  /** Compares a value with others of its parameter, if the zone has learned those. */
  readonly look?: LookAtLearned | undefined;
  /** Called before a field is computed, for values that only the source can provide. */
  readonly known?: (key: string) => Value | undefined;
}

export class RequestFields implements FieldSource {
  readonly facts: RequestFacts;
  #uri: UriParts | undefined;
  #host: string | undefined;
  #parts: readonly FormPart[] | undefined;
  #attacks: Attacks | undefined;

  constructor(facts: RequestFacts) {
    this.facts = facts;
  }

  read(key: string): Value | undefined {
    return this.facts.known?.(key) ?? readers.get(key)?.(this);
  }

  leaveOut(parts: readonly PartName[]): RequestFields {
    return new RequestFields(leaveOutParts(this.facts, parts));
  }

  rewriteUri({ path = this.facts.path, query = this.facts.query }: RewrittenUri): RequestFields {
    return new RequestFields({ ...this.facts, path, query });
  }

  referredPage(): ReferredRequest | undefined {
    const page = findReferredPage(this.facts.headers);
    return page && { address: page.address, create: (extent) => this.#createReferred(page, extent) };
  }

  #createReferred(page: ReferredPage, extent: ReferredExtent): RequestFields | undefined {
    if (extent === 'name' && !page.isNamedPlainly) return undefined;
    const { facts } = this;
    const { scheme, host, path, query } = page;
    return new RequestFields({
      ...facts,
      method: 'GET',
      uri: { scheme, authority: host, path, query: extent === 'name' ? undefined : query },
      path: normalizePath(path, defaultUrlNormalization.type),
      query: undefined,
      headers: extent === 'whole' ? headersForPage(page, facts.headers) : bareHeadersForPage(page),
      body: '',
      bodySize: 0,
      isBodyTruncated: false,
      known: (key) => (key === 'http.host' ? host : facts.known?.(key)),
    });
  }

  /** The URI as rules see it. */
  get uri(): UriParts {
    const { uri, path, query } = this.facts;
    return (this.#uri ??=
      query === undefined ? { ...uri, path } : { ...uri, path, query: query || undefined });
  }

  get host(): string {
    return (this.#host ??= joinHeader(this.facts.headers, 'host') || this.facts.uri.authority);
  }

  get parts(): readonly FormPart[] {
    if (this.mediaType !== 'multipart/form-data') return [];
    if (this.#parts === undefined) this.#chargeBody();
    return (this.#parts ??= readMultipart(
      this.facts.body,
      joinHeader(this.facts.headers, 'content-type'),
    ).parts);
  }

  get form(): Pairs {
    if (this.mediaType !== 'application/x-www-form-urlencoded') return [];
    this.#chargeBody();
    return parseQuery(this.facts.body);
  }

  /** The body with JSON escapes decoded, if it is JSON or starts like JSON. */
  get text(): string {
    const { body } = this.facts;
    this.#chargeBody();
    return body.includes('\\') && looksLikeJson(this.mediaType, body) ? decodeJsonEscapes(body) : body;
  }

  /** The findings of the detectors. All of them run at once: most of the cost is taking the request apart. */
  get attacks(): Attacks {
    const { uri, path, headers, body, look } = this.facts;
    return (this.#attacks ??= findAttacks(
      { path: uri.path, query: uri.query ?? '', headers, body },
      look && ((...value) => look(path, ...value)),
    ));
  }

  /** Whether the detectors have found anything; undefined if no rule has used them. */
  get hasFindings(): boolean | undefined {
    return this.#attacks && this.#attacks.size > 0;
  }

  get mediaType(): string {
    return parseMediaType(joinHeader(this.facts.headers, 'content-type'));
  }

  /** The maximum cost per byte of taking a body apart. */
  #chargeBody(): void {
    suspectSteps(20 * this.facts.body.length);
  }

  /** With the host as rules see it, not the `Host` field: a port or capital letters there must not bypass rules. */
  get fullUri(): string {
    const known = this.facts.known?.('http.host');
    return formatFullUri(this.uri, typeof known === 'string' ? known : this.host);
  }
}

function formatFullUri(uri: UriParts, host: string): string {
  return `${uri.scheme || 'http'}://${host}${joinUri(uri)}`;
}

const europeanUnion = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '),
);

type Reader = (request: RequestFields) => Value | undefined;

/** Readers of a map, of its names and of its values. */
function createPairReaders(
  key: string,
  pairs: (request: RequestFields) => Pairs,
  map = pairs,
): [string, Reader][] {
  return [
    [key, (request) => toMap(map(request))],
    [`${key}.names`, (request) => listNames(pairs(request))],
    [`${key}.values`, (request) => listValues(pairs(request))],
  ];
}

function createUriReaders(prefix: string, uriOf: (request: RequestFields) => UriParts): [string, Reader][] {
  return [
    [`${prefix}.uri`, (request) => joinUri(uriOf(request))],
    [`${prefix}.uri.path`, (request) => uriOf(request).path],
    [`${prefix}.uri.query`, (request) => uriOf(request).query ?? ''],
    ...createPairReaders(`${prefix}.uri.args`, (request) => parseQuery(uriOf(request).query ?? '')),
  ];
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['http.host', ({ host }) => host],
  ['http.request.method', ({ facts }) => facts.method],
  ['http.request.version', ({ facts }) => facts.version],
  ['http.request.full_uri', ({ fullUri }) => fullUri],
  ['raw.http.request.full_uri', ({ facts, host }) => formatFullUri(facts.uri, host)],
  ...createUriReaders('http.request', ({ uri }) => uri),
  ...createUriReaders('raw.http.request', ({ facts }) => facts.uri),
  ['http.request.uri.path.extension', ({ uri }) => lowerAscii(findExtension(uri.path))],
  ['raw.http.request.uri.path.extension', ({ facts }) => findExtension(facts.uri.path)],
  ...createPairReaders(
    'http.request.headers',
    ({ facts }) => facts.headers,
    ({ facts }) => lowerNames(facts.headers),
  ),
  ...createPairReaders(
    'raw.http.request.headers',
    ({ facts }) => facts.headers,
    ({ facts }) => lowerNames(facts.headers),
  ),
  ['http.request.cookies', ({ facts }) => toMap(parseCookies(joinHeader(facts.headers, 'cookie', '; ')))],
  ['http.cookie', ({ facts }) => joinHeader(facts.headers, 'cookie', '; ')],
  ['http.referer', ({ facts }) => joinHeader(facts.headers, 'referer')],
  ['http.user_agent', ({ facts }) => joinHeader(facts.headers, 'user-agent')],
  ['http.x_forwarded_for', ({ facts }) => joinHeader(facts.headers, 'x-forwarded-for')],
  [
    'http.request.accepted_languages',
    ({ facts }) => parseLanguages(joinHeader(facts.headers, 'accept-language')),
  ],
  ['http.request.timestamp.sec', ({ facts }) => Math.floor(facts.receivedAtMs / 1000)],
  ['http.request.timestamp.msec', ({ facts }) => Math.floor(facts.receivedAtMs) % 1000],
  ['ssl', ({ uri }) => uri.scheme === 'https'],
  ['cf.edge.client_tcp', ({ facts }) => facts.version !== 'HTTP/3'],
  ['ip.src', ({ facts }) => facts.ip],
  ['ip.src.asnum', ({ facts }) => facts.place.asn],
  ['ip.src.country', ({ facts }) => facts.place.country],
  ['ip.src.is_in_european_union', ({ facts }) => europeanUnion.has(facts.place.country)],
  ['http.request.body.raw', ({ facts }) => facts.body],
  ['gatehouse.request.body.text', (fields) => fields.text],
  ...attackKinds.map((kind): [string, Reader] => [
    `gatehouse.attack.${kind}`,
    ({ attacks }) => attacks.get(kind)?.confidence ?? 0,
  ]),
  [
    'gatehouse.attack.findings',
    ({ attacks }) => new Map([...attacks].map(([kind, finding]) => [kind, JSON.stringify(finding)])),
  ],
  ['http.request.body.truncated', ({ facts }) => facts.isBodyTruncated],
  ['http.request.body.size', ({ facts }) => facts.bodySize],
  ['http.request.body.mime', ({ facts }) => sniffType(facts.body)],
  ...createPairReaders('http.request.body.form', ({ form }) => form),
  [
    'http.request.body.multipart',
    ({ parts }) =>
      toMap(parts.flatMap(({ names, content }) => names.map((name) => [name, content] as const))),
  ],
  ['http.request.body.multipart.names', ({ parts }) => parts.map(({ names }) => names)],
  ['http.request.body.multipart.filenames', ({ parts }) => parts.map(({ fileNames }) => fileNames)],
  ['http.request.body.multipart.values', ({ parts }) => parts.map(({ content }) => content)],
  ...['content-type', 'content-disposition', 'content-transfer-encoding'].map((name): [string, Reader] => [
    `http.request.body.multipart.${name.replaceAll('-', '_')}s`,
    ({ parts }) => parts.map((part) => readPartHeader(part, name)),
  ]),
  ['http.response.code', ({ facts }) => facts.response.status],
  ...createPairReaders(
    'http.response.headers',
    ({ facts }) => facts.response.headers,
    ({ facts }) => lowerNames(facts.response.headers),
  ),
  ...createPairReaders(
    'raw.http.response.headers',
    ({ facts }) => facts.response.headers,
    ({ facts }) => lowerNames(facts.response.headers),
  ),
  [
    'http.response.content_type.media_type',
    ({ facts }) => parseMediaType(joinHeader(facts.response.headers, 'content-type')),
  ],
]);

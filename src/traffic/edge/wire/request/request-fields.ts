/**
 * Reads from the fields of a request its framing, its route and its connection options, and refuses invalid
 * combinations.
 */
import { parseAuthority } from './authority.ts';
import { splitItems } from '../field-lines.ts';
import { type FieldName, isToken, mayBeNamedByConnection } from '../field-names.ts';
import type { ParsedFields } from '../head-memory.ts';
import { chunkedBody, type Framing, hasBody, isChunked, noBody, parseLength } from '../body/framing.ts';
import { type WireLimits, zoneBodyBytesMax } from '../limits.ts';
import { bodyTooLarge, Refusal } from '../refusal.ts';
import type { RequestHead } from './request-head.ts';
import type { RequestLine } from './request-line.ts';
import { readTarget } from './target.ts';

const connectionOptions: ReadonlySet<string> = new Set(['close', 'keep-alive', 'upgrade']);

/** By far the most common value of `Connection`. */
const onlyKeepAlive: readonly string[] = ['keep-alive'];

function hasKeepAlive(names: readonly FieldName[]): boolean {
  for (let index = 0; index < names.length; index++) if (names[index]!.lower === 'keep-alive') return true;
  return false;
}

/** Collects the information of the fields, one after the other. */
export class FieldReading {
  readonly #httpVersion: RequestLine['httpVersion'];
  #host: string | undefined;
  #length: number | undefined;
  #isChunked = false;
  #connection: readonly string[] | undefined;
  #upgrade: string | undefined;
  #expectsContinue = false;
  #forwardedFor: string | undefined;
  #forwardedProto: string | undefined;
  #loop: string | undefined;
  #acceptsHtml = false;
  #singles: Set<string> | undefined;

  constructor(httpVersion: RequestLine['httpVersion']) {
    this.#httpVersion = httpVersion;
  }

  take({ lower, role }: FieldName, value: string): Refusal | undefined {
    switch (role) {
      case 'plain':
        if (lower === 'accept' && value.includes('text/html')) this.#acceptsHtml = true;
        return undefined;
      case 'host':
        if (this.#host !== undefined) return new Refusal('bad_host', 'There is more than one Host field.');
        this.#host = value;
        return undefined;
      case 'content-length':
        return this.#takeLength(value);
      case 'transfer-encoding':
        return this.#takeCoding(value);
      case 'connection':
        return this.#takeConnection(value);
      case 'expect':
        return this.#takeExpectation(value);
      case 'upgrade':
        // With several values, it does not ask for WebSocket alone.
        this.#upgrade = this.#upgrade === undefined ? value.toLowerCase() : '';
        return undefined;
      case 'single':
        this.#singles ??= new Set();
        if (this.#singles.has(lower))
          return new Refusal('bad_header', 'A field that may appear only once appears twice.');
        this.#singles.add(lower);
        return undefined;
      case 'disguised':
        return new Refusal('bad_header', 'A field name differs from a reserved one by an underscore only.');
      default:
        this.#takeClaim(role, value);
        return undefined;
    }
  }

  #takeClaim(role: FieldName['role'], value: string): void {
    if (role === 'forwarded-for') {
      this.#forwardedFor = this.#forwardedFor === undefined ? value : `${this.#forwardedFor}, ${value}`;
    } else if (role === 'forwarded-proto') this.#forwardedProto ??= value;
    else if (role === 'loop') this.#loop = this.#loop === undefined ? value : `${this.#loop}, ${value}`;
  }

  #takeLength(value: string): Refusal | undefined {
    if (this.#length !== undefined)
      return new Refusal('bad_framing', 'There is more than one Content-Length.');
    this.#length = parseLength(value);
    return this.#length === undefined
      ? new Refusal('bad_framing', 'The Content-Length is malformed.')
      : undefined;
  }

  #takeCoding(value: string): Refusal | undefined {
    if (this.#isChunked) return new Refusal('bad_framing', 'There is more than one Transfer-Encoding.');
    if (this.#httpVersion === '1.0') {
      return new Refusal('bad_framing', 'HTTP/1.0 has no Transfer-Encoding.');
    }
    if (!isChunked(value)) {
      return new Refusal('coding_not_supported', 'The only supported Transfer-Encoding is chunked.');
    }
    this.#isChunked = true;
    return undefined;
  }

  #takeConnection(value: string): Refusal | undefined {
    if (this.#connection === undefined && value === 'keep-alive') {
      this.#connection = onlyKeepAlive;
      return undefined;
    }
    const items = [...(this.#connection ?? [])];
    for (const item of splitItems(value)) {
      const lower = item.toLowerCase();
      if (!isToken(lower) || (!connectionOptions.has(lower) && !mayBeNamedByConnection(lower))) {
        return new Refusal('bad_connection_header', 'Connection names a field that it must not.');
      }
      items.push(lower);
    }
    this.#connection = items;
    return undefined;
  }

  #takeExpectation(value: string): Refusal | undefined {
    if (this.#expectsContinue || value.toLowerCase() !== '100-continue') {
      return new Refusal('bad_expectation', 'The only supported expectation is 100-continue.');
    }
    this.#expectsContinue = true;
    return undefined;
  }

  /** Notes that a body follows, whether or not a field declares it. */
  expectBody(): void {
    if (this.#length === undefined) this.#isChunked = true;
  }

  finish(line: RequestLine, fields: ParsedFields, limits: WireLimits): RequestHead | Refusal {
    if (this.#isChunked && this.#length !== undefined) {
      return new Refusal('bad_framing', 'Content-Length and Transfer-Encoding exclude each other.');
    }
    // The zone may allow less, or more than the proxy's own limit.
    if (this.#length !== undefined && this.#length > Math.max(limits.requestBodyBytesMax, zoneBodyBytesMax))
      return bodyTooLarge;
    const authority = this.#host === undefined ? undefined : parseAuthority(this.#host);
    if (authority === undefined) return new Refusal('bad_host', 'The Host field is missing or malformed.');
    const target = readTarget(line.method, line.rawTarget, authority);
    if (target === undefined) return new Refusal('bad_target', 'The request target is malformed.');
    const framing = this.#decideFraming();
    const connection = this.#connection ?? [];
    const isWebSocket = this.#isWebSocket(line, connection, framing);
    const seen = removeNamedFields(fields, connection, isWebSocket);
    return {
      method: line.method,
      target,
      httpVersion: line.httpVersion,
      headers: seen.headers,
      names: seen.names,
      kept: seen.kept,
      host: authority.host,
      framing,
      // Clients do not need persistent connections with HTTP/1.0, and it has no framing for bodies without a length.
      isKeptAlive: line.httpVersion !== '1.0' && !connection.includes('close'),
      expectsContinue: this.#expectsContinue && line.httpVersion !== '1.0' && hasBody(framing),
      isWebSocket,
      forwardedFor: this.#forwardedFor,
      forwardedProto: this.#forwardedProto,
      loop: this.#loop,
      acceptsHtml: this.#acceptsHtml,
    };
  }

  #decideFraming(): Framing {
    if (this.#isChunked) return chunkedBody;
    return this.#length === undefined ? noBody : { kind: 'length', length: this.#length };
  }

  /** Switching to other protocols is not allowed: `h2c` would carry requests past the judge. */
  #isWebSocket(line: RequestLine, connection: readonly string[], framing: Framing): boolean {
    return (
      this.#upgrade === 'websocket' &&
      line.method === 'GET' &&
      line.httpVersion !== '1.0' &&
      !hasBody(framing) &&
      connection.includes('upgrade')
    );
  }
}

/**
 * Returns the fields without those that `Connection` names: the origin does not receive them, so no rule may rely on
 * them. A switch to WebSocket does reach the origin.
 */
function removeNamedFields(
  fields: ParsedFields,
  connection: readonly string[],
  isWebSocket: boolean,
): ParsedFields {
  const { headers, names } = fields;
  if (connection.length === 0) return fields;
  if (connection === onlyKeepAlive && !hasKeepAlive(names)) return fields;
  const removed = new Set(connection);
  if (isWebSocket) removed.delete('upgrade');
  if (!names.some(({ lower }) => removed.has(lower))) return fields;
  return {
    headers: headers.filter((_, index) => !removed.has(names[index]!.lower)),
    names: names.filter(({ lower }) => !removed.has(lower)),
    kept: undefined,
  };
}

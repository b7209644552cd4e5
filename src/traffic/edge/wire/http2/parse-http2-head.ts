/**
 * The head of an HTTP/2 request, or the reason why it is refused. The rules are those of HTTP/1.1, and the result has
 * the same form: rules, origin and logs see the same request for both protocols.
 *
 * - Pseudo-header fields become the request line and `host`, which is then the first field.
 * - Parts of a cookie are joined at the position of the first.
 * - CONNECT for a WebSocket (RFC 8441) becomes the GET with which HTTP/1.1 starts one.
 */
import { randomBytes } from 'node:crypto';
import type { HeaderBlock, HeaderList } from '#http2';
import { isHarmlessTrailer } from '../body/chunked-decoder.ts';
import { hasBody } from '../body/framing.ts';
import type { HeaderField } from '../exchange.ts';
import { type FieldName, findFieldName } from '../field-names.ts';
import { trailerCountMax, type WireLimits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { FieldReading } from '../request/request-fields.ts';
import type { RequestHead } from '../request/request-head.ts';
import { checkRequestLine } from '../request/request-line.ts';

/** The pseudo-header fields that replace the request line. */
const pseudoNames = [':method', ':scheme', ':authority', ':path', ':protocol'] as const;
type PseudoName = (typeof pseudoNames)[number];

/** The maximum number of HTTP/2 fields in a head with this many HTTP/1.1 fields. */
export function countHttp2Fields(headerCountMax: number): number {
  return headerCountMax + pseudoNames.length;
}

interface SplitFields {
  readonly pseudo: Partial<Record<PseudoName, string>>;
  readonly headers: HeaderField[];
  readonly names: FieldName[];
}

export function parseHttp2Head(
  { list, isEnd }: Pick<HeaderBlock, 'list' | 'isEnd'>,
  scheme: 'http' | 'https',
  limits: WireLimits,
): RequestHead | Refusal {
  if (list.isTooLarge) return tooLarge;
  const parts = takeApart(list, limits);
  if (parts instanceof Refusal) return parts;
  const { pseudo } = parts;
  if (pseudo[':scheme'] !== undefined && pseudo[':scheme'] !== scheme)
    return new Refusal('bad_target', 'The scheme differs from that of the connection.');
  const host = takeHost(parts);
  if (host instanceof Refusal) return host;
  const isWebSocket = pseudo[':protocol'] === 'websocket' && pseudo[':method'] === 'CONNECT';
  if (pseudo[':protocol'] !== undefined && !isWebSocket)
    return new Refusal('bad_request_line', 'The only supported protocol is websocket.');
  const method = isWebSocket ? 'GET' : pseudo[':method'];
  const rawTarget = pseudo[':path'];
  if (method === 'CONNECT' && rawTarget === undefined)
    return new Refusal('method_not_allowed', 'This method is not passed on.');
  if (method === undefined || rawTarget === undefined || pseudo[':scheme'] === undefined)
    return new Refusal('bad_request_line', 'A field for the method, the scheme or the path is missing.');
  const line = checkRequestLine({ method, rawTarget, httpVersion: '2' }, limits);
  if (line instanceof Refusal) return line;
  if (isWebSocket) addUpgrade(parts);
  const { headers, names } = parts;
  const reading = new FieldReading('2');
  for (let index = 0; index < headers.length; index++) {
    const refusal = reading.take(names[index]!, headers[index]![1]);
    if (refusal !== undefined) return refusal;
  }
  if (!isEnd && !isWebSocket) reading.expectBody();
  const head = reading.finish(line, { headers, names, kept: undefined }, limits);
  if (head instanceof Refusal) return head;
  // The form with scheme and host exists only in HTTP/1.1.
  if (!rawTarget.startsWith('/') && rawTarget !== '*')
    return new Refusal('bad_target', 'The request target is malformed.');
  if (isWebSocket ? !head.isWebSocket : isEnd && hasBody(head.framing))
    return new Refusal('bad_framing', 'The request has a length, but no body.');
  return head;
}

const tooLarge = new Refusal('head_too_large', 'There are too many header fields, or one is too long.');
const malformed = new Refusal('bad_header', 'A header field is malformed.');

function takeApart(list: HeaderList, limits: WireLimits): SplitFields | Refusal {
  const pseudo: SplitFields['pseudo'] = {};
  const headers: HeaderField[] = [];
  const names: FieldName[] = [];
  let cookieAt = -1;
  let count = 0;
  for (const { field, isValid } of list.entries) {
    const [name, value] = field;
    if (!isValid) return malformed;
    if (name.startsWith(':')) {
      if (!isPseudoName(name) || pseudo[name] !== undefined || headers.length > 0)
        return new Refusal(
          'bad_header',
          'A field that stands for the request line is unknown, late or twice.',
        );
      pseudo[name] = value;
      continue;
    }
    if (++count > limits.headerCountMax || name.length + value.length + 2 > limits.headerLineBytesMax)
      return tooLarge;
    const known = findFieldName(name);
    if (known === undefined) return malformed;
    if (isOfConnection(known, value))
      return new Refusal('bad_connection_header', 'HTTP/2 has no fields for the connection.');
    if (name === 'cookie' && cookieAt >= 0) {
      headers[cookieAt] = ['cookie', `${headers[cookieAt]![1]}; ${value}`];
      continue;
    }
    if (name === 'cookie') cookieAt = headers.length;
    headers.push(field);
    names.push(known);
  }
  return { pseudo, headers, names };
}

function isPseudoName(name: string): name is PseudoName {
  return (pseudoNames as readonly string[]).includes(name);
}

/** RFC 9113, section 8.2.2: such a request is malformed. */
function isOfConnection({ lower, role }: FieldName, value: string): boolean {
  if (role === 'connection' || role === 'transfer-encoding' || role === 'upgrade') return true;
  return lower === 'keep-alive' || lower === 'proxy-connection' || (lower === 'te' && value !== 'trailers');
}

const hostName = findFieldName('host')!;

/** Makes `:authority` the first field, as `host`. Returns a refusal if that is impossible. */
function takeHost({ pseudo, headers, names }: SplitFields): Refusal | undefined {
  const authority = pseudo[':authority'];
  const at = names.findIndex(({ role }) => role === 'host');
  const host = at === -1 ? undefined : headers[at]![1];
  if (authority !== undefined && host !== undefined && host !== authority)
    return new Refusal('bad_host', 'The Host field differs from the authority.');
  if (at !== -1) {
    headers.splice(at, 1);
    names.splice(at, 1);
  }
  const value = authority ?? host;
  if (value === undefined) return new Refusal('bad_host', 'The Host field is missing or malformed.');
  headers.unshift(['host', value]);
  names.unshift(hostName);
  return undefined;
}

/**
 * Adds the fields with which an HTTP/1.1 client starts a WebSocket. HTTP/2 needs no key, but the origin does; a key
 * that the client sends needlessly is used as the only one.
 */
function addUpgrade({ headers, names }: SplitFields): void {
  const hasKey = names.some(({ lower }) => lower === 'sec-websocket-key');
  const key: HeaderField = ['sec-websocket-key', randomBytes(16).toString('base64')];
  const added: readonly HeaderField[] = [
    ['connection', 'upgrade'],
    ['upgrade', 'websocket'],
    ...(hasKey ? [] : [key]),
  ];
  for (const field of added) {
    headers.push(field);
    names.push(findFieldName(field[0])!);
  }
}

/** Whether the trailers of a request can be dropped, as those of HTTP/1.1 are. */
export function areHttp2TrailersValid(list: HeaderList): boolean {
  if (list.isTooLarge || list.entries.length > trailerCountMax) return false;
  return list.entries.every(({ field, isValid }) => {
    const known = isValid ? findFieldName(field[0]) : undefined;
    return known !== undefined && isHarmlessTrailer(known);
  });
}

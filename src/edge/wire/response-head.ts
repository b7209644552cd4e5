/**
 * Parses an origin's head. The same rules apply to origins as to clients: an ambiguous response could be read by a client as
 * somebody else's. The only leniency is a missing reason phrase.
 */
import type { HeaderField } from './exchange.ts';
import { type LastNames, splitItems, readFields } from './field-lines.ts';
import type { FieldName } from './field-names.ts';
import { chunkedBody, type Framing, isChunked, noBody, parseLength, untilClose } from './body/framing.ts';
import type { WireLimits } from './limits.ts';

export interface ResponseHead {
  readonly status: number;
  /** As the origin sent it. */
  readonly reason: string;
  readonly headers: readonly HeaderField[];
  readonly names: readonly FieldName[];
  readonly framing: Framing;
  /** Whether the origin accepts another request on this connection. */
  readonly isKeptAlive: boolean;
  /** The value of `Keep-Alive`. */
  readonly keepAlive: string | undefined;
  /** The lower-case names of fields that `Connection` names, which are not forwarded. */
  readonly namedByConnection: ReadonlySet<string> | undefined;
  /** Lower case. */
  readonly upgrade: string | undefined;
}

const lastNames: LastNames = [];

const statusLine = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: ([\t -~\x80-\xff]*))?$/;

/** `text` is the head without its last CR LF CR LF. Undefined if it is ambiguous. */
export function parseResponseHead(
  text: string,
  method: string,
  limits: WireLimits,
): ResponseHead | undefined {
  const lineEnd = text.indexOf('\r\n');
  const line = statusLine.exec(lineEnd === -1 ? text : text.slice(0, lineEnd));
  if (line === null) return undefined;
  const { responseHeaderCountMax: countMax, responseHeadBytesMax: lineBytesMax } = limits;
  const from = lineEnd === -1 ? text.length : lineEnd + 2;
  const fields = readFields(text, from, { countMax, lineBytesMax }, lastNames);
  if (typeof fields === 'string') return undefined;
  const { headers, names } = fields;
  const isOldVersion = line[1] === '0';
  const facts = readFacts(headers, names);
  if (facts === undefined || (facts.isChunked && (isOldVersion || facts.length !== undefined)))
    return undefined;
  const status = Number(line[2]);
  const connection = facts.connection === undefined ? undefined : new Set(splitItems(facts.connection));
  return {
    status,
    reason: line[3] ?? '',
    headers,
    names,
    framing: decideFraming(status, method, facts),
    isKeptAlive: isOldVersion ? connection?.has('keep-alive') === true : connection?.has('close') !== true,
    keepAlive: facts.keepAlive,
    namedByConnection: connection,
    upgrade: facts.upgrade,
  };
}

interface Facts {
  length: number | undefined;
  isChunked: boolean;
  connection: string | undefined;
  keepAlive: string | undefined;
  upgrade: string | undefined;
}

function readFacts(headers: readonly HeaderField[], names: readonly FieldName[]): Facts | undefined {
  const facts: Facts = {
    length: undefined,
    isChunked: false,
    connection: undefined,
    keepAlive: undefined,
    upgrade: undefined,
  };
  for (let index = 0; index < headers.length; index++) {
    const { lower, role } = names[index]!;
    if (role === 'plain' || role === 'single') continue;
    const value = headers[index]![1];
    if (role === 'content-length') {
      const length = parseLength(value);
      // The same length twice is unambiguous, and origins behind other origins do send it.
      if (length === undefined || (facts.length !== undefined && facts.length !== length)) return undefined;
      facts.length = length;
    } else if (role === 'transfer-encoding') {
      if (facts.isChunked || !isChunked(value)) return undefined;
      facts.isChunked = true;
    } else if (role === 'connection') {
      facts.connection =
        facts.connection === undefined ? value.toLowerCase() : `${facts.connection}, ${value.toLowerCase()}`;
    } else if (role === 'upgrade') facts.upgrade = value.toLowerCase();
    else if (lower === 'keep-alive') facts.keepAlive = value;
  }
  return facts;
}

function decideFraming(status: number, method: string, facts: Facts): Framing {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return noBody;
  if (facts.isChunked) return chunkedBody;
  return facts.length === undefined ? untilClose : { kind: 'length', length: facts.length };
}

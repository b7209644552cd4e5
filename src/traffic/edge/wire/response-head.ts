/**
 * Parses an origin's head. The same rules apply to origins as to clients: a client could mistake an ambiguous response
 * for that of another request. The only leniency is a missing reason phrase.
 */
import { copyBytes } from '#text';
import type { HeaderField } from './exchange.ts';
import { type LastNames, splitItems, readFields } from './field-lines.ts';
import type { FieldName } from './field-names.ts';
import { type ParsedFields, HeadMemory } from './head-memory.ts';
import { chunkedBody, type Framing, isChunked, noBody, parseLength, untilClose } from './body/framing.ts';
import type { WireLimits } from './limits.ts';

export interface ResponseHead {
  readonly status: number;
  /** As the origin sent it. */
  readonly reason: string;
  readonly headers: readonly HeaderField[];
  readonly names: readonly FieldName[];
  /** The lines of the fields that every client receives; undefined if that depends on the zone. */
  readonly kept: string | undefined;
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

interface StatusLine {
  readonly isOldVersion: boolean;
  readonly status: number;
  readonly reason: string;
}

interface ReadHead {
  readonly line: StatusLine;
  readonly isForHead: boolean;
  readonly head: ResponseHead;
}

/** Parses the heads that arrive on one connection. */
export class ResponseHeadReader {
  readonly #limits: WireLimits;
  readonly #memory = new HeadMemory<ReadHead>();
  #lineText: string | undefined;
  #line: StatusLine | undefined;

  constructor(limits: WireLimits) {
    this.#limits = limits;
  }

  /** `text` is the head without its final CR LF CR LF. Undefined if it is ambiguous. */
  read(text: string, method: string): ResponseHead | undefined {
    const lineEnd = text.indexOf('\r\n');
    const line = this.#readStatusLine(text, lineEnd === -1 ? text.length : lineEnd);
    if (line === undefined) return undefined;
    const { responseHeaderCountMax: countMax, responseHeadBytesMax: lineBytesMax } = this.#limits;
    const from = lineEnd === -1 ? text.length : lineEnd + 2;
    const fields = readFields(text, from, { countMax, lineBytesMax }, { lastNames, memory: this.#memory });
    if (typeof fields === 'string') return undefined;
    const isForHead = method === 'HEAD';
    const last = this.#memory.recallHead(fields);
    if (last !== undefined && last.line === line && last.isForHead === isForHead) return last.head;
    const head = createHead(line, fields, isForHead);
    if (head !== undefined) this.#memory.rememberHead(fields, { line, isForHead, head });
    return head;
  }

  /** Returns the object of the last head if the line is the same. */
  #readStatusLine(text: string, end: number): StatusLine | undefined {
    if (end === this.#lineText?.length && text.slice(0, end) === this.#lineText) return this.#line;
    const lineText = copyBytes(text.slice(0, end));
    const parts = statusLine.exec(lineText);
    this.#lineText = lineText;
    this.#line =
      parts === null
        ? undefined
        : { isOldVersion: parts[1] === '0', status: Number(parts[2]), reason: parts[3] ?? '' };
    return this.#line;
  }
}

function createHead(
  { isOldVersion, status, reason }: StatusLine,
  { headers, names, kept }: ParsedFields,
  isForHead: boolean,
): ResponseHead | undefined {
  const facts = readFacts(headers, names);
  if (facts === undefined || (facts.isChunked && (isOldVersion || facts.length !== undefined)))
    return undefined;
  const connection = facts.connection === undefined ? undefined : new Set(splitItems(facts.connection));
  const framing = decideFraming(status, isForHead, facts);
  return {
    status,
    reason,
    headers,
    names,
    kept: facts.isOrdinary && framing.kind !== 'none' ? kept : undefined,
    framing,
    isKeptAlive: isOldVersion ? connection?.has('keep-alive') === true : connection?.has('close') !== true,
    keepAlive: facts.keepAlive,
    namedByConnection: connection,
    upgrade: facts.upgrade,
  };
}

interface FramingFacts {
  /** Whether no field is specific to requests, and `Connection` names no field that could be forwarded. */
  isOrdinary: boolean;
  length: number | undefined;
  isChunked: boolean;
  connection: string | undefined;
  keepAlive: string | undefined;
  upgrade: string | undefined;
}

function readFacts(headers: readonly HeaderField[], names: readonly FieldName[]): FramingFacts | undefined {
  const facts: FramingFacts = {
    isOrdinary: true,
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
      const lowered = value.toLowerCase();
      if (lowered !== 'keep-alive' && lowered !== 'close') facts.isOrdinary = false;
      facts.connection = facts.connection === undefined ? lowered : `${facts.connection}, ${lowered}`;
    } else if (role === 'upgrade') facts.upgrade = value.toLowerCase();
    else if (role === 'host') facts.isOrdinary = false;
    else if (lower === 'keep-alive') facts.keepAlive = value;
  }
  return facts;
}

function decideFraming(status: number, isForHead: boolean, facts: FramingFacts): Framing {
  if (isForHead || status < 200 || status === 204 || status === 304) return noBody;
  if (facts.isChunked) return chunkedBody;
  return facts.length === undefined ? untilClose : { kind: 'length', length: facts.length };
}

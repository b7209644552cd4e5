/**
 * Writes the heads that the edge sends. The origin receives the judged request, without the client's hop-by-hop fields
 * and with our own framing. The edge sets these fields, whatever the client sent under their names:
 *
 * - `x-forwarded-for`, `x-forwarded-proto`: appended to what a trusted proxy sent, in place of what other peers sent;
 * - `cf-connecting-ip`: the client's address; `cf-ray`: the request id;
 * - `cdn-loop`: names this process, so that a routing loop is detected.
 *
 * `Forwarded` and the other `X-Forwarded-*` are forwarded from trusted proxies only, other claims about the client or
 * the route (`X-Real-IP`, `X-Original-URL`) only if the zone asks for it. `Expect` is not forwarded, because the edge
 * itself sends `100 Continue`. The client gets the origin's response, without its hop-by-hop fields and with the
 * request id. There is no `Via`: for the client, the edge is the origin.
 */
import { STATUS_CODES } from 'node:http';
import type { HeaderField } from './exchange.ts';
import { checkAddedFields, type AddedFields } from './added-fields.ts';
import type { Framing } from './body/framing.ts';
import type { RequestHead } from './request/request-head.ts';
import type { ResponseHead } from './response-head.ts';

export interface Forwarding {
  /** The judged target. */
  readonly target: string;
  /** The names of client claim fields that the zone asks for, in lower case. */
  readonly claims: ReadonlySet<string> | undefined;
  /** Replaces the client's host; undefined if the origin receives that one. */
  readonly host: string | undefined;
  readonly clientAddress: string;
  /** Replaces the addresses of client and peer. */
  readonly shownAddress: string | undefined;
  readonly peerAddress: string;
  readonly isPeerTrusted: boolean;
  readonly isSecure: boolean;
  readonly requestId: string;
  /** The loop token of this process. */
  readonly loopToken: string;
  readonly additions: AddedFields | undefined;
  /** Whether the origin is asked to switch to WebSocket. */
  readonly isUpgrade: boolean;
  /** Whether the connection is not reused. */
  readonly isLast: boolean;
}

export function writeRequestHead(head: RequestHead, forwarding: Forwarding): string {
  const { kept } = head;
  const isKept = kept !== undefined && forwarding.additions === undefined && forwarding.host === undefined;
  let text = `${head.method} ${forwarding.target} HTTP/1.1\r\n${isKept ? kept : writeFields(head, forwarding)}`;
  text += writeEdgeFields(head, forwarding) + writeFramingField(head.framing);
  if (forwarding.additions !== undefined) text += forwarding.additions.text;
  if (forwarding.isUpgrade) return `${text}connection: upgrade\r\nupgrade: websocket\r\n\r\n`;
  return forwarding.isLast ? `${text}connection: close\r\n\r\n` : `${text}\r\n`;
}

function writeFields({ headers, names }: RequestHead, forwarding: Forwarding): string {
  const replaced = forwarding.additions?.names;
  let text = '';
  for (let index = 0; index < headers.length; index++) {
    const { lower, role } = names[index]!;
    const isForwarded =
      role === 'plain' ||
      role === 'single' ||
      role === 'host' ||
      (role === 'forwarded' && forwarding.isPeerTrusted) ||
      (role === 'claim' && forwarding.claims?.has(lower) === true);
    if (!isForwarded || replaced?.has(lower) === true) continue;
    const header = headers[index]!;
    text += `${header[0]}: ${role === 'host' ? (forwarding.host ?? header[1]) : header[1]}\r\n`;
  }
  return text;
}

function writeEdgeFields(head: RequestHead, forwarding: Forwarding): string {
  const { isPeerTrusted, peerAddress, clientAddress, shownAddress, requestId, loopToken } = forwarding;
  const forwardedFor =
    shownAddress ??
    (isPeerTrusted && head.forwardedFor !== undefined ? `${head.forwardedFor}, ${peerAddress}` : peerAddress);
  const loop = head.loop === undefined ? loopToken : `${head.loop}, ${loopToken}`;
  return (
    `x-forwarded-for: ${forwardedFor}\r\nx-forwarded-proto: ${forwarding.isSecure ? 'https' : 'http'}\r\n` +
    `cf-connecting-ip: ${shownAddress ?? clientAddress}\r\ncf-ray: ${requestId}\r\ncdn-loop: ${loop}\r\n`
  );
}

function writeFramingField(framing: Framing): string {
  if (framing.kind === 'length') return `content-length: ${framing.length}\r\n`;
  return framing.kind === 'chunked' ? 'transfer-encoding: chunked\r\n' : '';
}

export interface ResponseOptions {
  readonly requestId: string;
  /** Lower case. */
  readonly requestIdHeader: string;
  /** The framing of the response to the client: chunked, with a length, or until the connection closes. */
  readonly framing: Framing;
  /** Replace fields with the same names. */
  readonly fields: AddedFields | undefined;
  /** Whether the connection closes after this response. */
  readonly isLast: boolean;
}

/** The head of an origin's response, as sent to the client. */
export function writeResponseHead(head: ResponseHead, answering: ResponseOptions): string {
  const { status, kept } = head;
  const { fields } = answering;
  const isKept = kept !== undefined && fields === undefined && answering.requestIdHeader === ownIdHeader;
  let text = `HTTP/1.1 ${status} ${head.reason}\r\n${isKept ? kept : writeAnsweredFields(head, answering)}`;
  if (fields !== undefined) text += fields.text;
  text += `${answering.requestIdHeader}: ${answering.requestId}\r\n${writeFramingField(answering.framing)}`;
  return answering.isLast ? `${text}connection: close\r\n\r\n` : `${text}\r\n`;
}

/** The role of this name keeps an origin's field from being forwarded. */
const ownIdHeader = 'cf-ray';

function writeAnsweredFields(head: ResponseHead, answering: ResponseOptions): string {
  let text = '';
  for (let index = 0; index < head.headers.length; index++) {
    if (!isForwardedToClient(head, index, answering)) continue;
    const header = head.headers[index]!;
    text += `${header[0]}: ${header[1]}\r\n`;
  }
  return text;
}

/** Whether the client gets the field of an origin's response. */
export function isForwardedToClient(
  head: ResponseHead,
  index: number,
  { requestIdHeader, fields }: Pick<ResponseOptions, 'requestIdHeader' | 'fields'>,
): boolean {
  const { lower, role } = head.names[index]!;
  const isForwarded =
    role === 'plain' ||
    role === 'single' ||
    role === 'claim' ||
    role === 'disguised' ||
    (role === 'content-length' && isLengthOfOther(head));
  if (!isForwarded || lower === requestIdHeader) return false;
  return head.namedByConnection?.has(lower) !== true && fields?.names.has(lower) !== true;
}

/** The length of a response without a body, to HEAD or with 304, describes another response and is forwarded. */
function isLengthOfOther(head: ResponseHead): boolean {
  return head.framing.kind === 'none' && head.status >= 200 && head.status !== 204;
}

/** The head of a `101` response, as sent to the client. */
export function writeSwitchingHead(head: ResponseHead, answering: ResponseOptions): string {
  const text = writeResponseHead(head, { ...answering, isLast: false });
  return `${text.slice(0, -2)}connection: upgrade\r\nupgrade: websocket\r\n\r\n`;
}

/** Returns the fields without those that `fields` replaces. */
export function removeReplaced(
  headers: readonly HeaderField[],
  fields: AddedFields | undefined,
): readonly HeaderField[] {
  return fields === undefined ? headers : headers.filter(([name]) => !fields.names.has(name.toLowerCase()));
}

export function checkStatus(status: number): void {
  if (!(Number.isInteger(status) && status >= 200 && status <= 599))
    throw new TypeError(`an answer has a status from 200 to 599: ${status}`);
}

/** The head of the edge's own response. Throws a `TypeError` if it is not valid. */
export function writeOwnHead(
  status: number,
  headers: readonly HeaderField[],
  answering: ResponseOptions,
): string {
  checkStatus(status);
  const { fields } = answering;
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n${checkAddedFields(removeReplaced(headers, fields)).text}`;
  if (fields !== undefined) text += fields.text;
  text += `${answering.requestIdHeader}: ${answering.requestId}\r\n${writeFramingField(answering.framing)}`;
  return answering.isLast ? `${text}connection: close\r\n\r\n` : `${text}\r\n`;
}

/**
 * The heads we write. To the origin goes what was judged, without the fields of the client's hop; framing is ours; these
 * are set by the edge, whatever the client sent under their names:
 *
 * - `x-forwarded-for`, `x-forwarded-proto`: appended to what a trusted proxy sent, in place of what others sent;
 * - `cf-connecting-ip`: the client's address; `cf-ray`: the request id;
 * - `cdn-loop`: names this process, so that a route back to ourselves ends.
 *
 * `Forwarded` and the other `X-Forwarded-*` pass from trusted proxies only. `Expect` ends here, since `100 Continue` is
 * ours to say. To the client goes what the origin said, without the fields of its hop and with the request id. There is no
 * `Via`: to the client we are the origin.
 */
import { STATUS_CODES } from 'node:http';
import type { HeaderField } from './exchange.ts';
import { addedFields, type AddedFields } from './added-fields.ts';
import type { Framing } from './body/framing.ts';
import type { RequestHead } from './request/request-head.ts';
import type { ResponseHead } from './response-head.ts';

export interface Forwarding {
  readonly clientAddress: string;
  readonly peerAddress: string;
  readonly isPeerTrusted: boolean;
  readonly isSecure: boolean;
  readonly requestId: string;
  /** Of this process. */
  readonly loopToken: string;
  readonly additions: AddedFields | undefined;
  /** The connection is not to be used again. */
  readonly isLast: boolean;
}

export function requestHeadForOrigin(head: RequestHead, forwarding: Forwarding): string {
  const { headers, names, namedByConnection } = head;
  const replaced = forwarding.additions?.names;
  let text = `${head.method} ${head.target} HTTP/1.1\r\n`;
  for (let index = 0; index < headers.length; index++) {
    const { lower, role } = names[index]!;
    const isForwarded =
      role === 'plain' ||
      role === 'single' ||
      role === 'host' ||
      (role === 'forwarded' && forwarding.isPeerTrusted);
    if (!isForwarded || namedByConnection?.has(lower) === true || replaced?.has(lower) === true) continue;
    const header = headers[index]!;
    text += `${header[0]}: ${header[1]}\r\n`;
  }
  text += edgeFields(head, forwarding) + framingField(head.framing);
  if (forwarding.additions !== undefined) text += forwarding.additions.text;
  if (head.isWebSocket) return `${text}connection: upgrade\r\nupgrade: websocket\r\n\r\n`;
  return forwarding.isLast ? `${text}connection: close\r\n\r\n` : `${text}\r\n`;
}

function edgeFields(head: RequestHead, forwarding: Forwarding): string {
  const { isPeerTrusted, peerAddress, clientAddress, requestId, loopToken } = forwarding;
  const forwardedFor =
    isPeerTrusted && head.forwardedFor !== undefined ? `${head.forwardedFor}, ${peerAddress}` : peerAddress;
  const loop = head.loop === undefined ? loopToken : `${head.loop}, ${loopToken}`;
  return (
    `x-forwarded-for: ${forwardedFor}\r\nx-forwarded-proto: ${forwarding.isSecure ? 'https' : 'http'}\r\n` +
    `cf-connecting-ip: ${clientAddress}\r\ncf-ray: ${requestId}\r\ncdn-loop: ${loop}\r\n`
  );
}

function framingField(framing: Framing): string {
  if (framing.kind === 'length') return `content-length: ${framing.length}\r\n`;
  return framing.kind === 'chunked' ? 'transfer-encoding: chunked\r\n' : '';
}

export interface Answering {
  readonly requestId: string;
  /** Lower case. */
  readonly requestIdHeader: string;
  /** Of what goes to the client: chunked, of a length, or until the end. */
  readonly framing: Framing;
  /** The connection ends after this answer. */
  readonly isLast: boolean;
}

/** The head of an origin's answer, as the client gets it. */
export function responseHeadForClient(head: ResponseHead, answering: Answering): string {
  const { headers, names, namedByConnection, status } = head;
  let text = `HTTP/1.1 ${status} ${head.reason}\r\n`;
  for (let index = 0; index < headers.length; index++) {
    const { lower, role } = names[index]!;
    const isForwarded =
      role === 'plain' ||
      role === 'single' ||
      role === 'disguised' ||
      (role === 'content-length' && isLengthOfOther(head));
    if (!isForwarded || namedByConnection?.has(lower) === true || lower === answering.requestIdHeader)
      continue;
    const header = headers[index]!;
    text += `${header[0]}: ${header[1]}\r\n`;
  }
  text += `${answering.requestIdHeader}: ${answering.requestId}\r\n${framingField(answering.framing)}`;
  return answering.isLast ? `${text}connection: close\r\n\r\n` : `${text}\r\n`;
}

/** Of an answer without a body, the length is a statement about another answer, and passed on: to HEAD, and with 304. */
function isLengthOfOther(head: ResponseHead): boolean {
  return head.framing.kind === 'none' && head.status >= 200 && head.status !== 204;
}

/** The head of an answer that says `101`, as the client gets it. */
export function switchingHeadForClient(head: ResponseHead, answering: Answering): string {
  const text = responseHeadForClient(head, { ...answering, isLast: false });
  return `${text.slice(0, -2)}connection: upgrade\r\nupgrade: websocket\r\n\r\n`;
}

/** The head of an answer of our own. Throws a `TypeError` for what cannot be one. */
export function ownHead(status: number, headers: readonly HeaderField[], answering: Answering): string {
  if (!(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new TypeError(`an answer has a status from 200 to 599: ${status}`);
  }
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n${addedFields(headers).text}`;
  text += `${answering.requestIdHeader}: ${answering.requestId}\r\n${framingField(answering.framing)}`;
  return answering.isLast ? `${text}connection: close\r\n\r\n` : `${text}\r\n`;
}

/**
 * Input that is not a request also gets a response, in the envelope of the API, and its connection is closed. Responses
 * to earlier requests on the same connection are sent first; if one of them is partly sent, no further response is
 * possible.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Fault, fault, genericCodes, targetCharactersMax, writeFault } from '#contract';
import { headerBytesMax, headersMax } from '../limits.ts';

/** The fault for an error of the parser; undefined if the client has disconnected, also in the middle of a request. */
export function findFault(error: NodeJS.ErrnoException, requestTimeoutMs: number): Fault | undefined {
  const { code = '' } = error;
  // Writing to each client of a flood that has left would cost a third of the time of its connection.
  if (code === 'HPE_INVALID_EOF_STATE') return undefined;
  if (code === 'HPE_HEADER_OVERFLOW')
    return hasLongTarget(error) ? createTargetTooLong() : createHeadersTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return fault(genericCodes.requestTimeout, { fill: { seconds: requestTimeoutMs / 1_000 } });
  }
  if (!code.startsWith('HPE_')) return undefined;
  const { reason } = error as { readonly reason?: string };
  return fault(genericCodes.malformedHttp, { fill: { reason: reason ?? code } });
}

/**
 * Whether the target is too long. The parser reports only the bytes that arrived last, so for a request in many chunks this
 * is unknown.
 */
function hasLongTarget({ rawPacket }: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): boolean {
  const start = rawPacket?.toString('latin1', 0, headerBytesMax) ?? '';
  const target = /^[A-Z]+ ([^\s]*)/.exec(start)?.[1] ?? '';
  return target.length > targetCharactersMax;
}

function createTargetTooLong(): Fault {
  return fault(genericCodes.targetTooLong, { fill: { characters: targetCharactersMax } });
}

export function createHeadersTooLarge(): Fault {
  return fault(genericCodes.headersTooLarge, { fill: { count: headersMax, bytes: headerBytesMax } });
}

export interface RefusedConnection {
  /** Undefined if the client has disconnected. */
  readonly fault: Fault | undefined;
  /** The response to the last request on this connection, if there was one. */
  readonly last: ServerResponse | undefined;
  readonly lingerMs: number;
}

export function refuseConnection(
  socket: Duplex,
  { fault: refusal, last, lingerMs }: RefusedConnection,
): void {
  if (refusal === undefined || !socket.writable) return void socket.destroy();
  const isAnswering = last !== undefined && !last.writableFinished && !last.destroyed;
  const speak = (): void => writeRefusal(socket, refusal, lingerMs);
  if (!isAnswering) speak();
  else if (last.req.complete) last.once('close', speak);
  // The error is in the body of this request.
  else if (last.headersSent) socket.destroy();
  else speak();
}

function writeRefusal(socket: Duplex, refusal: Fault, lingerMs: number): void {
  if (!socket.writable) return void socket.destroy();
  const { status, body } = writeFault(refusal);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body!)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // The client has a moment to read the response while it may still be sending.
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

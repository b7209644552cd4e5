/**
 * What is not a request gets an answer all the same, in the envelope of the API, and its connection is closed. Answers to requests
 * that came before on the same connection go first; where one of them is half-way out there is nothing left to say.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Fault, fault, genericCodes, targetCharactersMax, writeFault } from '#api';
import { headerBytesMax, headersMax } from '../limits.ts';

/** The fault that an error of the parser stands for; undefined when there is nobody left to tell. */
export function faultOf(error: NodeJS.ErrnoException, requestTimeoutMs: number): Fault | undefined {
  const { code = '' } = error;
  if (code === 'HPE_HEADER_OVERFLOW') return hasLongTarget(error) ? targetTooLong() : headersTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return fault(genericCodes.requestTimeout, { fill: { seconds: requestTimeoutMs / 1_000 } });
  }
  if (!code.startsWith('HPE_')) return undefined;
  const { reason } = error as { readonly reason?: string };
  return fault(genericCodes.malformedHttp, { fill: { reason: reason ?? code } });
}

/**
 * Whether it is the target that is too long. The parser tells only the bytes that arrived last, so of a request in many pieces
 * that is not known.
 */
function hasLongTarget({ rawPacket }: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): boolean {
  const start = rawPacket?.toString('latin1', 0, headerBytesMax) ?? '';
  const target = /^[A-Z]+ ([^\s]*)/.exec(start)?.[1] ?? '';
  return target.length > targetCharactersMax;
}

function targetTooLong(): Fault {
  return fault(genericCodes.targetTooLong, { fill: { characters: targetCharactersMax } });
}

export function headersTooLarge(): Fault {
  return fault(genericCodes.headersTooLarge, { fill: { count: headersMax, bytes: headerBytesMax } });
}

export interface Refusal {
  /** Undefined: there is nobody left to tell. */
  readonly fault: Fault | undefined;
  /** The answer to the request that came last on this connection, if there was one. */
  readonly last: ServerResponse | undefined;
  readonly lingerMs: number;
}

export function refuseConnection(socket: Duplex, { fault: refusal, last, lingerMs }: Refusal): void {
  if (refusal === undefined || !socket.writable) return void socket.destroy();
  const isAnswering = last !== undefined && !last.writableFinished && !last.destroyed;
  const speak = (): void => say(socket, refusal, lingerMs);
  if (!isAnswering) speak();
  else if (last.req.complete) last.once('close', speak);
  // The body of this very request is what is wrong.
  else if (last.headersSent) socket.destroy();
  else speak();
}

function say(socket: Duplex, refusal: Fault, lingerMs: number): void {
  if (!socket.writable) return void socket.destroy();
  const { status, body } = writeFault(refusal);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body!)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // The client has a moment to read it while it may still be sending.
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Writes a `Response` to the socket. A body in one piece is sent in one write; a stream is sent as fast as the client
 * reads it, is cancelled when the client disconnects, and cuts the connection when it fails in the middle, so that a
 * part is not mistaken for the whole.
 */
import type { ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { knownLengthOf } from '../globals/fixed-length-stream.ts';
import { LightResponse, type SimpleAnswer } from './light-response.ts';

export async function writeResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  if (response.status < 200) throw new TypeError('the handler answered with Response.error()');
  const encoder = encoderFor(response);
  const simple = encoder === undefined ? LightResponse.take(response) : undefined;
  if (simple !== undefined) return writeSimple(outgoing, simple);
  if (response.bodyUsed)
    throw new TypeError('the handler answered with a Response whose body was already used');
  await writeStream(outgoing, response, encoder);
}

function writeSimple(outgoing: ServerResponse, answer: SimpleAnswer): void {
  const { body } = answer;
  const headers: string[] = [];
  if (answer.headers !== undefined) addHeaders(headers, answer.headers, { length: body !== null });
  else if (answer.contentType !== undefined) headers.push('content-type', answer.contentType);
  if (body !== null) {
    headers.push('content-length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length));
  } else if (canHaveBody(answer.status) && outgoing.req.method !== 'HEAD') {
    headers.push('content-length', '0');
  }
  writeHead(outgoing, answer, headers);
  // `end` drops the body where HTTP allows none (HEAD, 204, 304).
  outgoing.end(body ?? undefined);
}

async function writeStream(
  outgoing: ServerResponse,
  response: Response,
  encoder: Transform | undefined,
): Promise<void> {
  const { body } = response;
  const headers: string[] = [];
  const bodiless = body === null || outgoing.req.method === 'HEAD' || !canHaveBody(response.status);
  const length = encoder === undefined && body !== null ? knownLengthOf(body) : undefined;
  addHeaders(headers, response.headers, { length: encoder !== undefined || length !== undefined });
  if (length !== undefined) headers.push('content-length', String(length));
  writeHead(outgoing, response, headers);
  if (bodiless) {
    outgoing.end();
    await body?.cancel();
    return;
  }
  // An event stream may be silent for a while: its head must not wait for that.
  outgoing.flushHeaders();
  if (encoder === undefined) return pump(body, outgoing);
  try {
    await pipeline(Readable.fromWeb(body), encoder, outgoing);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** Equivalent to `pipeline`, without a Node stream in between: a quarter of the time for small chunks. */
async function pump(body: NonNullable<Response['body']>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  let wake: (() => void) | undefined;
  const leave = (): void => {
    wake?.();
    // No caller remains that needs the reason why a stream could not be cancelled.
    reader.cancel().catch(() => {});
  };
  if (outgoing.destroyed) leave();
  outgoing.once('close', leave);
  outgoing.on('drain', () => wake?.());
  for (;;) {
    const { done, value } = await reader.read();
    if (outgoing.destroyed) return;
    if (done) break;
    if (!outgoing.write(value)) await new Promise<void>((resolve) => (wake = resolve));
  }
  outgoing.off('close', leave).end();
}

function writeHead(
  outgoing: ServerResponse,
  { status, statusText }: { readonly status: number; readonly statusText: string },
  headers: string[],
): void {
  if (statusText === '') outgoing.writeHead(status, headers);
  else outgoing.writeHead(status, statusText, headers);
}

/** Set here for the connection to this client, not copied from an upstream's connection. */
const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

function addHeaders(into: string[], headers: Headers, drop: { readonly length: boolean }): void {
  for (const [name, value] of headers) {
    if (connectionHeaders.has(name) || (drop.length && name === 'content-length')) continue;
    into.push(name, value);
  }
}

function canHaveBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

/**
 * As under workerd, a handler that sets `Content-Encoding` passes the plain body and the server encodes it (unless
 * `encodeBody: 'manual'`). This also makes forwarding the answer of a `fetch` correct, whose body arrives decoded under
 * its original headers.
 */
function encoderFor(response: Response): Transform | undefined {
  if (LightResponse.isPlain(response)) return undefined;
  const encoding = response.headers.get('content-encoding')?.toLowerCase();
  if (encoding === undefined || LightResponse.isEncoded(response)) return undefined;
  // Flushing after each chunk keeps event streams alive.
  if (encoding === 'gzip') return createGzip({ flush: constants.Z_SYNC_FLUSH });
  if (encoding === 'deflate') return createDeflate({ flush: constants.Z_SYNC_FLUSH });
  if (encoding === 'br') return createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH });
  return undefined;
}

/**
 * Writes a response of the API to the socket. A body in one piece is one write. A stream is sent as fast as the client
 * reads it; it is ended when the client disconnects, and if it fails in the middle the connection is cut, so that
 * clients do not mistake a part for the whole.
 */
import type { ServerResponse } from 'node:http';
import type { ApiResponse } from '#contract';
import { lingerBytesMax } from '../limits.ts';

export interface WriteOptions {
  /** Whether this response is the last of its connection. */
  readonly isLast: boolean;
  /** Whether the client may still be sending data that will not be read. */
  readonly isUnread: boolean;
  readonly lingerMs: number;
}

export async function writeResponse(
  outgoing: ServerResponse,
  { status, headers, body }: ApiResponse,
  { isLast, isUnread, lingerMs }: WriteOptions,
): Promise<void> {
  const list: string[] = [];
  for (const name of Object.keys(headers)) list.push(name, headers[name]!);
  if (isLast || isUnread) list.push('connection', 'close');
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : (body?.length ?? 0);
    if (body !== null || (status !== 204 && status !== 304)) list.push('content-length', String(length));
    outgoing.writeHead(status, list);
    if (isUnread) return endSlowly(outgoing, body, lingerMs);
    if (body === null) outgoing.end();
    // As many bytes as characters: all ASCII, which is also Latin-1 and needs no conversion.
    else outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
    return;
  }
  const pieces = body[Symbol.asyncIterator]();
  try {
    outgoing.writeHead(status, list);
    if (outgoing.req.method === 'HEAD') outgoing.end();
    else await writeStream(outgoing, pieces);
  } finally {
    // Also if the client disconnected before the first piece was requested: a stream may hold files from its start.
    await pieces.return?.();
  }
}

/**
 * Closing a connection that still receives data makes the kernel reset it, and the client might never see the response. So
 * the response is sent, and for a moment further input is discarded.
 */
async function endSlowly(
  outgoing: ServerResponse,
  body: string | Uint8Array | null,
  lingerMs: number,
): Promise<void> {
  const { req: incoming } = outgoing;
  if (body !== null && incoming.method !== 'HEAD') outgoing.write(body);
  else outgoing.flushHeaders();
  let bytes = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lingerMs);
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > lingerBytesMax) resolve();
  });
  for (const event of ['end', 'close', 'error'] as const) incoming.once(event, () => resolve());
  incoming.resume();
  await promise;
  clearTimeout(timer);
  outgoing.end();
}

async function writeStream(
  outgoing: ServerResponse,
  pieces: AsyncIterator<string | Uint8Array>,
): Promise<void> {
  // An event stream may be silent for a while: its head must not wait for that.
  outgoing.flushHeaders();
  let resume = (): void => {};
  outgoing.on('drain', () => resume());
  outgoing.once('close', () => {
    resume();
    // Ends the wait of a stream for its next event. The client has disconnected, so the result does not matter.
    pieces.return?.().catch(() => {});
  });
  try {
    while (!outgoing.closed) {
      const next = await pieces.next();
      if (next.done === true) break;
      if (!outgoing.closed && !outgoing.write(next.value))
        await new Promise<void>((resolve) => (resume = resolve));
    }
    outgoing.end();
  } catch (error) {
    if (outgoing.closed) return;
    outgoing.destroy();
    throw error;
  }
}

/** A `Request` of the Fetch API. */
import { inspectedBodyBytesMax } from '#request';
import { type InspectedBody, RequestGone } from '../../wire/exchange.ts';
import type { IncomingHead } from '../incoming.ts';

export function readWebHead(request: Request, peerAddress: string): IncomingHead {
  const { method, url, headers, body } = request;
  const { protocol, host } = new URL(url);
  return {
    method,
    target: url,
    // The Fetch API does not expose the version.
    httpVersion: '1.1',
    headers: headers.has('host') ? [...headers] : [['host', host], ...headers],
    peerAddress,
    isSecure: protocol === 'https:',
    body: body === null ? undefined : { declaredLength: readDeclaredLength(headers) },
  };
}

/** Reads a clone: the application's branch buffers what was read, at most the limit and one chunk more. */
export async function inspectWebBody(request: Request): Promise<InspectedBody> {
  if (request.bodyUsed) {
    throw new TypeError('cannot judge a body that has already been read: run the firewall first');
  }
  const { pieces, count } = await readBeginning(request.clone().body);
  return {
    bytes: Buffer.concat(pieces, Math.min(count, inspectedBodyBytesMax)),
    isTruncated: count > inspectedBodyBytesMax,
    declaredLength: readDeclaredLength(request.headers),
  };
}

async function readBeginning(body: ReadableStream<Uint8Array> | null): Promise<{
  readonly pieces: readonly Uint8Array[];
  readonly count: number;
}> {
  const pieces: Uint8Array[] = [];
  let count = 0;
  const reader = body?.getReader();
  if (reader === undefined) return { pieces, count };
  try {
    while (count <= inspectedBodyBytesMax) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      count += value.length;
    }
  } catch {
    throw new RequestGone();
  } finally {
    // Resolves only when the application has released the body as well.
    reader.cancel().catch(() => {});
  }
  return { pieces, count };
}

function readDeclaredLength(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  return length === null || !/^\d{1,15}$/.test(length) ? undefined : Number(length);
}

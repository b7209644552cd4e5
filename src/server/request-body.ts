/**
 * The body of an incoming request, read once, in one of two ways: as a whole (what most handlers want) or as a
 * stream that pulls from the socket only as fast as it is read. Either way it ends with an error when it
 * outgrows the limit or when the client goes away in the middle.
 */
import type { IncomingMessage } from 'node:http';

export class RequestBodyTooLarge extends Error {
  constructor(bytesMax: number) {
    super(`the request body is larger than ${bytesMax} bytes`);
    this.name = 'RequestBodyTooLarge';
  }
}

export function collectBody(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      // Forget what came and let the rest pass by unread: the answer can still go out.
      chunks.length = 0;
      reject(new RequestBodyTooLarge(bytesMax));
    } else {
      chunks.push(chunk);
    }
  });
  incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  incoming.on('error', reject);
  incoming.on('close', () => reject(new Error('the client went away before the whole request body arrived')));
  return promise;
}

export function streamBody(
  incoming: IncomingMessage,
  bytesMax: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = incoming.iterator({ destroyOnReturn: false });
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) return controller.close();
      const chunk = value as Buffer<ArrayBuffer>;
      bytes += chunk.length;
      if (bytes > bytesMax) throw new RequestBodyTooLarge(bytesMax);
      controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length));
    },
    async cancel() {
      await chunks.return?.();
      incoming.resume();
    },
  });
}

/**
 * The body of an incoming request, read once, in one of two ways: as a whole (for most handlers) or as a stream that
 * pulls from the socket only as fast as it is read. Either way it fails when it exceeds the limit, when the client
 * disconnects before its end, or when the request was answered meanwhile.
 */
import type { IncomingMessage } from 'node:http';

export class RequestBodyTooLarge extends Error {
  constructor(bytesMax: number) {
    super(`the request body is larger than ${bytesMax} bytes`);
    this.name = 'RequestBodyTooLarge';
  }
}

/** The part that is read ahead of demand: about as much as a socket provides at once. */
const aheadBytes = 65_536;

interface BodyReader {
  onChunk(chunk: Buffer<ArrayBuffer>): void;
  onEnd(): void;
  onError(error: Error): void;
}

export class RequestBody {
  readonly #incoming: IncomingMessage;
  readonly #bytesMax: number;
  #reader: BodyReader | undefined;

  constructor(incoming: IncomingMessage, bytesMax: number) {
    this.#incoming = incoming;
    this.#bytesMax = bytesMax;
  }

  collect(): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const chunks: Buffer[] = [];
    this.#read({
      onChunk: (chunk) => void chunks.push(chunk),
      onEnd: () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
      onError: reject,
    });
    return promise;
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const source = {
      type: 'bytes',
      start: (controller: ReadableByteStreamController) => {
        this.#read({
          onChunk: (chunk) => {
            // A copy: the stream transfers the memory, and Node puts several pieces into one buffer.
            controller.enqueue(new Uint8Array(chunk));
            if (controller.desiredSize! <= 0) this.#incoming.pause();
          },
          onEnd: () => {
            controller.close();
            // A reader that waits with its own buffer gets it back.
            controller.byobRequest?.respond(0);
          },
          onError: (error) => controller.error(error),
        });
        this.#incoming.pause();
      },
      pull: () => void this.#incoming.resume(),
      cancel: () => this.#drop(),
    } as const;
    return new ReadableStream(source, { highWaterMark: aheadBytes });
  }

  /** Discards the rest, so that the connection can serve the next request. */
  abandon(): void {
    this.#fail(new Error('the request was answered before its body was read'));
  }

  #read(reader: BodyReader): void {
    this.#reader = reader;
    let bytes = 0;
    this.#incoming.on('data', (chunk: Buffer<ArrayBuffer>) => {
      bytes += chunk.length;
      if (bytes > this.#bytesMax) this.#fail(new RequestBodyTooLarge(this.#bytesMax));
      else this.#reader?.onChunk(chunk);
    });
    this.#incoming.on('end', () => {
      this.#reader?.onEnd();
      this.#reader = undefined;
    });
    this.#incoming.on('error', (error) => this.#fail(error));
  }

  #fail(error: Error): void {
    this.#reader?.onError(error);
    this.#drop();
  }

  #drop(): void {
    this.#reader = undefined;
    this.#incoming.resume();
  }
}

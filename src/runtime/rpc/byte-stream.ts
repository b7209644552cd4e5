/**
 * Streams that cross a call become streams of bytes at the other end, as in workerd: text becomes UTF-8, views and
 * buffers become their bytes, empty chunks are omitted, and any other chunk fails the stream. A sink gets an
 * `ArrayBuffer` for each chunk.
 */
type ChunkBytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** A view of the chunk's bytes, which its owner keeps; undefined if it has none. */
function viewBytes(chunk: unknown): ChunkBytes | undefined {
  if (typeof chunk === 'string') return encoder.encode(chunk);
  if (ArrayBuffer.isView(chunk))
    return new Uint8Array(chunk.buffer as ArrayBuffer, chunk.byteOffset, chunk.byteLength);
  return chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : undefined;
}

/** Converts a chunk that was read from the source of a stream. */
export function toReadBytes(chunk: unknown): ChunkBytes {
  const bytes = viewBytes(chunk);
  if (bytes === undefined) throw new TypeError('This ReadableStream did not return bytes.');
  return bytes;
}

/** Converts a chunk that is written to a stream; `undefined` counts as empty. */
async function toWrittenBytes(chunk: unknown, abort: ByteSink['abort']): Promise<ChunkBytes> {
  const bytes = viewBytes(chunk ?? '');
  if (bytes !== undefined) return bytes;
  const error = new TypeError(
    'This TransformStream is being used as a byte stream, but received an object of non-ArrayBuffer/ArrayBufferView type on its writable side.',
  );
  // A stream whose write fails does not notify its sink.
  await abort(error);
  throw error;
}

interface ByteSource {
  /** Some bytes, which the stream then owns; undefined at the end. */
  readonly read: () => Promise<readonly ChunkBytes[] | undefined>;
  readonly cancel: (reason: unknown) => Promise<void>;
}

/** Reads what is requested, and nothing ahead of it. */
export function createByteStream({ read, cancel }: ByteSource): ReadableStream<ChunkBytes> {
  return new ReadableStream<ChunkBytes>({
    type: 'bytes',
    async pull(given) {
      const controller = given as ReadableByteStreamController;
      const chunks = await read();
      if (chunks === undefined) {
        controller.close();
        // Without a response, a reader with its own buffer would wait forever.
        controller.byobRequest?.respond(0);
      } else for (const chunk of chunks) controller.enqueue(chunk);
    },
    cancel,
  });
}

/** Returns the stream itself if it is a byte stream; otherwise another one, which locks it. */
export function toByteStream(stream: ReadableStream): ReadableStream {
  if (isByteStream(stream)) return stream;
  const reader = stream.getReader() as ReadableStreamDefaultReader<unknown>;
  return createByteStream({
    async read() {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        try {
          // A copy: the owner of the chunk keeps it.
          const bytes = toReadBytes(value).slice();
          if (bytes.length > 0) return [bytes];
        } catch (error) {
          void reader.cancel(error).catch(() => {});
          throw error;
        }
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Only a byte stream provides a reader that brings its own buffer. */
function isByteStream(stream: ReadableStream): boolean {
  try {
    stream.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

const byteSinks = new WeakSet<WritableStream>();

interface ByteSink {
  /** The writer owns the bytes until the promise is fulfilled. */
  readonly write: (bytes: ChunkBytes) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly abort: (reason: unknown) => Promise<void>;
}

export function createByteSink({ write, close, abort }: ByteSink): WritableStream {
  const created = new WritableStream({
    async write(chunk) {
      const bytes = await toWrittenBytes(chunk, abort);
      if (bytes.length > 0) await write(bytes);
    },
    close,
    abort,
  });
  byteSinks.add(created);
  return created;
}

/** A stream that accepts bytes and values convertible to bytes, and passes them to the given one. */
export function toByteSink(stream: WritableStream): WritableStream {
  if (byteSinks.has(stream)) return stream;
  const writer = stream.getWriter() as WritableStreamDefaultWriter<unknown>;
  return createByteSink({
    write: (bytes) => writer.write(bytes.slice().buffer),
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
}

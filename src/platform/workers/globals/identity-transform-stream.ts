/**
 * A byte stream whose readable side returns what was written, without copying: a write completes when it was read. A
 * reader may pass its own buffer.
 */
import { types } from 'node:util';

type Bytes = Uint8Array<ArrayBuffer>;

interface PendingWrite {
  rest: Bytes;
  readonly done: PromiseWithResolvers<void>;
}

export class IdentityTransformStream extends TransformStream {
  readonly #readable: ReadableStream<Bytes>;
  readonly #writable: WritableStream<unknown>;
  #controller!: ReadableByteStreamController;
  #write: PendingWrite | undefined;
  #wanted: PromiseWithResolvers<void> | undefined;
  #isClosed = false;
  /** The reader has cancelled. */
  #cancelled: { readonly reason: unknown } | undefined;

  constructor() {
    super();
    this.#readable = new ReadableStream<Bytes>({
      type: 'bytes',
      start: (controller) => {
        this.#controller = controller as ReadableByteStreamController;
      },
      pull: () => this.#pull(),
      cancel: (reason) => this.#cancel(reason),
    });
    this.#writable = new WritableStream({
      write: (chunk) => this.#take(toBytes(chunk)),
      close: () => this.#close(),
      abort: (reason) => this.fail(reason),
    });
  }

  override get readable(): ReadableStream<Bytes> {
    return this.#readable;
  }

  override get writable(): WritableStream<unknown> {
    return this.#writable;
  }

  /** Called with the size of each write; returns the error for the reader, if any. */
  protected check(_bytes: number): Error | undefined {
    return undefined;
  }

  protected checkEnd(): Error | undefined {
    return undefined;
  }

  protected fail(reason: unknown): void {
    this.#write = undefined;
    this.#isClosed = true;
    this.#controller.error(reason);
    this.#wanted?.resolve();
  }

  /** Further writes fail, even with an existing writer. A write in progress is still read. */
  end(): void {
    if (this.#write === undefined) this.#close();
    else
      void this.#write.done.promise.then(
        () => this.#close(),
        () => {},
      );
  }

  async #take(bytes: Bytes): Promise<void> {
    if (this.#cancelled !== undefined) throw this.#cancelled.reason;
    if (this.#isClosed) throw new TypeError('This WritableStream has been closed.');
    const refusal = this.check(bytes.length);
    if (refusal !== undefined) return this.fail(refusal);
    if (bytes.length === 0) return;
    const done = Promise.withResolvers<void>();
    this.#write = { rest: bytes, done };
    this.#wanted?.resolve();
    await done.promise;
  }

  #close(): void {
    if (this.#cancelled !== undefined || this.#isClosed) return;
    const refusal = this.checkEnd();
    if (refusal !== undefined) return this.fail(refusal);
    this.#isClosed = true;
    this.#controller.close();
    // A reader that waits with its own buffer is notified of the end.
    this.#controller.byobRequest?.respond(0);
    this.#wanted?.resolve();
  }

  #cancel(reason: unknown): void {
    this.#isClosed = true;
    this.#cancelled = { reason };
    this.#write?.done.reject(reason);
    this.#write = undefined;
  }

  /** Waits for a write, and passes as much of it as the reader takes. */
  async #pull(): Promise<void> {
    while (this.#write === undefined) {
      if (this.#isClosed) return;
      this.#wanted = Promise.withResolvers();
      await this.#wanted.promise;
      this.#wanted = undefined;
    }
    const write = this.#write;
    const request = this.#controller.byobRequest;
    if (request?.view === null || request?.view === undefined) {
      this.#controller.enqueue(write.rest);
      write.rest = new Uint8Array(0);
    } else {
      const view = new Uint8Array(request.view.buffer, request.view.byteOffset, request.view.byteLength);
      const part = write.rest.subarray(0, view.length);
      view.set(part);
      write.rest = write.rest.subarray(part.length);
      request.respond(part.length);
    }
    if (write.rest.length > 0) return;
    this.#write = undefined;
    write.done.resolve();
  }
}

/** A copy: the writer may change its buffer. */
function toBytes(chunk: unknown): Bytes {
  if (typeof chunk === 'string') {
    throw new TypeError(
      'This TransformStream is being used as a byte stream, but received a string on its writable side. ' +
        "If you wish to write a string, you'll probably want to explicitly UTF-8-encode it with TextEncoder.",
    );
  }
  if (ArrayBuffer.isView(chunk)) {
    return new Uint8Array(chunk.buffer as ArrayBuffer, chunk.byteOffset, chunk.byteLength).slice();
  }
  if (types.isAnyArrayBuffer(chunk)) return new Uint8Array(chunk as ArrayBuffer).slice();
  throw new TypeError(
    'This TransformStream is being used as a byte stream, but received an object of non-ArrayBuffer/ArrayBufferView type on its writable side.',
  );
}

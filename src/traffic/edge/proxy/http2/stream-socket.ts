/** Presents an HTTP/2 stream that carries a WebSocket as a socket, for the tunnel to the origin. */
import { Duplex } from 'node:stream';
import { errorCode, type Stream } from '#http2';

export class StreamSocket extends Duplex {
  readonly #stream: Stream;
  /** Bytes received that wait for a reader. */
  #heldBytes = 0;
  #onDrain: (() => void) | undefined;

  constructor(stream: Stream) {
    super({ allowHalfOpen: true });
    this.#stream = stream;
  }

  receive(bytes: Buffer): void {
    if (this.destroyed) return;
    this.#heldBytes += bytes.length;
    if (this.push(bytes)) this.#consume();
  }

  receiveEnd(): void {
    if (!this.destroyed) this.push(null);
  }

  /** Everything that was written has been sent. */
  drain(): void {
    const onDrain = this.#onDrain;
    this.#onDrain = undefined;
    onDrain?.();
  }

  #consume(): void {
    this.#stream.consume(this.#heldBytes);
    this.#heldBytes = 0;
  }

  override _read(): void {
    this.#consume();
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    if (this.#stream.sendData(bytes)) done();
    else this.#onDrain = done;
  }

  override _final(done: () => void): void {
    this.#stream.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // If the stream was ended, it closes when its end is sent.
    if (!this.writableFinished) this.#stream.reset(errorCode.cancel);
    done(error);
  }
}

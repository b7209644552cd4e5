/** A sink of the access log for several writers. A sink accepts one write at a time, so the others are queued. */
import { closeMs } from './limits.ts';
import type { LineSink } from './line-sink.ts';

export class SerialSink {
  readonly #sink: LineSink;
  #last: Promise<unknown> = Promise.resolve();

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  /** Resolves when the bytes, which are whole lines, are written. */
  write(bytes: Uint8Array): Promise<void> {
    return this.#queue(() => this.#sink.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
  }

  reopen(): void {
    // If the file cannot be opened, the next write tries again, and its failure is reported.
    void this.#queue(() => this.#sink.reopen()).catch(() => {});
  }

  /** Resolves when all previous requests have completed or failed. */
  async settle(): Promise<void> {
    await this.#last;
  }

  /** Stops waiting after a while: a reader that has stopped must not keep the program from stopping. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeMs);
    await Promise.race([this.#queue(() => this.#sink.close()), promise]);
    clearTimeout(timer);
  }

  #queue(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Writes the response to a request in the client's protocol. */
import type { HeaderField } from '../../wire/exchange.ts';
import {
  type ResponseOptions,
  writeOwnHead,
  writeResponseHead,
  writeSwitchingHead,
} from '../../wire/forwarded-head.ts';
import type { ResponseHead } from '../../wire/response-head.ts';
import type { SentBytes } from '../../observation/request-timeline.ts';
import type { BatchedWriter } from '../batched-writer.ts';

export interface ResponseWriter extends SentBytes {
  /** The head of an origin's response. It can be discarded until more is written. */
  writeHead(head: ResponseHead, options: ResponseOptions): void;
  /** The head of the edge's own response. Throws a `TypeError` if it is not valid. */
  writeOwnHead(status: number, headers: readonly HeaderField[], options: ResponseOptions): void;
  /** The origin has switched to WebSocket and has sent these bytes of it. Further bytes bypass the writer. */
  writeSwitchingHead(head: ResponseHead, options: ResponseOptions, early: Buffer): void;
  /** Permission to send the body. */
  writeContinue(): void;
  /** Early hints, if the client's protocol supports them. */
  writeHints(head: ResponseHead): void;
  writeBody(bytes: Buffer): void;
  /** The response is complete. */
  finish(): void;
  /**
   * Sends what was written. Returns whether the client keeps up; if not, `onClientDrain` follows when it has caught up.
   */
  flushPart(): boolean;
  /** Discards a head if nothing was written after it. */
  discard(): void;
}

/** Responses on one HTTP/1.1 connection, one after the other. */
export class Http1ResponseWriter implements ResponseWriter {
  readonly #writer: BatchedWriter;
  #isChunked = false;

  constructor(writer: BatchedWriter) {
    this.#writer = writer;
  }

  get sentBytes(): number {
    return this.#writer.sentBytes;
  }

  get bodyBytes(): number {
    return this.#writer.bodyBytes;
  }

  writeHead(head: ResponseHead, options: ResponseOptions): void {
    this.#isChunked = options.framing.kind === 'chunked';
    this.#writer.writeText(writeResponseHead(head, options));
  }

  writeOwnHead(status: number, headers: readonly HeaderField[], options: ResponseOptions): void {
    const text = writeOwnHead(status, headers, options);
    this.#isChunked = false;
    this.#writer.writeText(text);
  }

  writeSwitchingHead(head: ResponseHead, options: ResponseOptions, early: Buffer): void {
    this.#writer.writeText(writeSwitchingHead(head, options));
    this.#writer.writeBytes(early);
    this.#writer.flush();
  }

  writeContinue(): void {
    this.#writer.writeText('HTTP/1.1 100 Continue\r\n\r\n');
    this.#writer.flush();
  }

  /** Old clients mistake an interim response for the final one. */
  writeHints(): void {}

  writeBody(bytes: Buffer): void {
    if (this.#isChunked) this.#writer.writeChunk(bytes);
    else this.#writer.writeBytes(bytes);
  }

  finish(): void {
    if (this.#isChunked) this.#writer.writeText('0\r\n\r\n');
    this.#writer.flush();
  }

  flushPart(): boolean {
    return this.#writer.flushPart();
  }

  discard(): void {
    this.#writer.discard();
  }
}

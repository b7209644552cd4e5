/**
 * Writes what belongs together in one go: a head, a small body and its framing leave as one write of one string. Large
 * pieces are not copied.
 */
import type { Socket } from 'node:net';

/** Copying so little costs less than another write. */
const copiedBytesMax = 8 * 1024;

export class BatchedWriter {
  readonly #socket: Socket;
  #text = '';

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** A binary string. */
  text(text: string): void {
    this.#text += text;
  }

  bytes(bytes: Buffer): void {
    if (bytes.length <= copiedBytesMax) {
      this.#text += bytes.toString('latin1');
      return;
    }
    this.#socket.cork();
    this.flush();
    this.#socket.write(bytes);
    this.#socket.uncork();
  }

  /** As one chunk. */
  chunk(bytes: Buffer): void {
    this.#text += `${bytes.length.toString(16)}\r\n`;
    this.bytes(bytes);
    this.#text += '\r\n';
  }

  /** Takes back what has not been flushed. */
  discard(): void {
    this.#text = '';
  }

  /** Answers whether the other side keeps up; otherwise `drain` comes when it has. */
  flush(): boolean {
    if (this.#text !== '') {
      this.#socket.write(this.#text, 'latin1');
      this.#text = '';
    }
    return !this.#socket.writableNeedDrain;
  }
}

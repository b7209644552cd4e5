/**
 * Writes what belongs together at once: a head, a small body and its framing leave as one write of one string. Large chunks
 * are not copied.
 */
import type { Socket } from 'node:net';

/** Copying this little costs less than another write. */
const copiedBytesMax = 8 * 1024;

export class BatchedWriter {
  readonly #socket: Socket;
  #text = '';

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** A binary string. */
  writeText(text: string): void {
    this.#text += text;
  }

  writeBytes(bytes: Buffer): void {
    if (bytes.length <= copiedBytesMax) {
      this.#text += bytes.toString('latin1');
      return;
    }
    this.#socket.cork();
    this.flush();
    this.#socket.write(bytes);
    this.#socket.uncork();
  }

  /** Appends the bytes as one chunk. */
  writeChunk(bytes: Buffer): void {
    this.#text += `${bytes.length.toString(16)}\r\n`;
    this.writeBytes(bytes);
    this.#text += '\r\n';
  }

  /** Discards what has not been flushed. */
  discard(): void {
    this.#text = '';
  }

  /** Returns whether the other side keeps up; if not, `drain` follows when it has. */
  flush(): boolean {
    if (this.#text !== '') {
      this.#socket.write(this.#text, 'latin1');
      this.#text = '';
    }
    return !this.#socket.writableNeedDrain;
  }
}

/**
 * Batches writes: a head, a small body and its framing leave as one write of one string. Large chunks are not copied.
 * Small pieces are gathered while the peer does not read: each pending write costs Node about a hundred bytes besides
 * its data.
 */
import type { Socket } from 'node:net';

/** Copying this little costs less than another write. */
const copiedBytesMax = 8 * 1024;

/** Strings that grow by small pieces cost several times their length, so their growth is limited. */
const gatheredCharactersMax = 2 * 1024;

export class BatchedWriter {
  readonly #socket: Socket;
  #text = '';
  /** Flushed, and waits for the write before it. */
  #gathered = '';
  #isGathering = false;
  /** All bytes written to the socket. */
  sentBytes = 0;
  /** The bytes from `writeBytes` and `writeChunk`, without chunk framing. */
  bodyBytes = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** A binary string. */
  writeText(text: string): void {
    this.#text += text;
  }

  writeBytes(bytes: Buffer): void {
    this.bodyBytes += bytes.length;
    if (bytes.length <= copiedBytesMax) {
      this.#text += bytes.toString('latin1');
      return;
    }
    this.#socket.cork();
    this.flush();
    this.sentBytes += bytes.length;
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

  /** Returns whether the peer keeps up; if not, `drain` follows when it has caught up. */
  flush(): boolean {
    const text = this.#gathered + this.#text;
    this.#gathered = '';
    this.#text = '';
    if (text !== '') {
      this.sentBytes += text.length;
      this.#socket.write(text, 'latin1');
    }
    return !this.#socket.writableNeedDrain;
  }

  /**
   * Like `flush`, for a part of a body that others follow: if an earlier write is still pending, they may leave
   * together.
   */
  flushPart(): boolean {
    if (!this.#isGathering && this.#socket.writableLength === 0) return this.flush();
    this.#gathered += this.#text;
    this.#text = '';
    if (!this.#isGathering) this.#writeAndGather();
    else if (this.#gathered.length >= gatheredCharactersMax) this.#writeGathered();
    return !this.#socket.writableNeedDrain;
  }

  /** Gathers what is written until this write completes. */
  #writeAndGather(): void {
    this.#isGathering = true;
    this.#writeGathered(() => {
      this.#isGathering = false;
      if (this.#gathered !== '' && !this.#socket.destroyed) this.#writeAndGather();
    });
  }

  #writeGathered(onWritten?: () => void): void {
    // A string would stay in memory as the pieces it was built from, and a pooled buffer would keep its pool alive.
    const bytes = Buffer.allocUnsafeSlow(this.#gathered.length);
    bytes.write(this.#gathered, 'latin1');
    this.#gathered = '';
    this.sentBytes += bytes.length;
    this.#socket.write(bytes, onWritten);
  }
}

/**
 * One upload on disk: written while it arrives, read from its start once it has been judged. Pending writes are in
 * memory; `write` asks the writer to stop while there are many. Disposing of it frees its room, and its file once no
 * read or write is pending.
 */
import { closeSync, read, write } from 'node:fs';
import { promisify } from 'node:util';
import { HeldBytes } from '../held-bytes.ts';
import { pendingUploadBytesMax, uploadReadBytes } from '../../wire/limits.ts';

const [writeTo, readFrom] = [promisify(write), promisify(read)];

export interface UploadOptions {
  /** Reserves the bytes and returns true if there is room for them. */
  readonly take: (bytes: number) => boolean;
  readonly release: (bytes: number) => void;
  /** Resolves when few enough bodies are in memory to be judged; `endTurn` follows. */
  readonly takeTurn: () => Promise<void>;
  readonly endTurn: () => void;
  /** The upload has arrived completely. */
  readonly onArrived: () => void;
  /** All pending writes are done, after `write` had asked to stop. */
  readonly onDrain: () => void;
  readonly onError: (error: Error) => void;
}

export class Upload implements Disposable {
  readonly #descriptor: number;
  readonly #options: UploadOptions;
  readonly #pending = new HeldBytes();
  #writing: Promise<void> | undefined;
  #isBlocked = false;
  #isDisposed = false;
  /** Reads and writes that use the file. */
  #uses = 0;
  #bytes = 0;
  #written = 0;
  #readAt = 0;
  /** Its first part is in memory. */
  #hasTurn = false;

  constructor(descriptor: number, options: UploadOptions) {
    this.#descriptor = descriptor;
    this.#options = options;
  }

  /** Returns whether more may be written now, or that there is no room for these bytes. */
  write(bytes: Buffer): 'continue' | 'wait' | 'no room' {
    if (!this.#options.take(bytes.length)) return 'no room';
    this.#bytes += bytes.length;
    this.#pending.push(bytes);
    this.#writing ??= this.#writePending();
    if (this.#pending.length < pendingUploadBytesMax) return 'continue';
    this.#isBlocked = true;
    return 'wait';
  }

  /** The upload is complete: no further writes follow. */
  end(): void {
    this.#options.onArrived();
  }

  /** Its first bytes, which stay in memory until the next ones are read or it is disposed of. */
  async readBeginning(bytesMax: number): Promise<Buffer> {
    if (!this.#hasTurn) {
      await this.#options.takeTurn();
      this.#hasTurn = true;
      if (this.#isDisposed) this.#endTurn();
    }
    await this.#writing;
    const pieces: Buffer[] = [];
    let length = 0;
    while (length < Math.min(bytesMax, this.#written)) {
      const piece = await this.#read(length, bytesMax - length);
      if (piece.length === 0) break;
      pieces.push(piece);
      length += piece.length;
    }
    return Buffer.concat(pieces);
  }

  /** The bytes after those that were read before; empty at the end. All writes must be done. */
  async readNext(): Promise<Buffer> {
    this.#endTurn();
    await this.#writing;
    const bytes = await this.#read(this.#readAt, uploadReadBytes);
    if (bytes.length === 0 && this.#readAt < this.#bytes && !this.#isDisposed) {
      throw new Error(`cannot read an upload: ${this.#bytes - this.#readAt} bytes of it are missing`);
    }
    this.#readAt += bytes.length;
    return bytes;
  }

  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#options.onArrived();
    this.#pending.take();
    this.#endTurn();
    this.#closeUnused();
  }

  #endTurn(): void {
    if (!this.#hasTurn) return;
    this.#hasTurn = false;
    this.#options.endTurn();
  }

  async #writePending(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        for (const piece of this.#pending.take()) await this.#writeWhole(piece);
      }
    } catch (error) {
      if (!this.#isDisposed) this.#options.onError(error as Error);
    }
    this.#writing = undefined;
    if (!this.#isBlocked || this.#isDisposed) return;
    this.#isBlocked = false;
    this.#options.onDrain();
  }

  async #writeWhole(piece: Buffer): Promise<void> {
    for (let from = 0; from < piece.length && !this.#isDisposed;) {
      const { bytesWritten } = await this.#use(() =>
        writeTo(this.#descriptor, piece, from, piece.length - from, this.#written),
      );
      from += bytesWritten;
      this.#written += bytesWritten;
    }
  }

  async #read(position: number, bytesMax: number): Promise<Buffer> {
    if (this.#isDisposed) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafeSlow(bytesMax);
    const { bytesRead } = await this.#use(() => readFrom(this.#descriptor, buffer, 0, bytesMax, position));
    return buffer.subarray(0, bytesRead);
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    this.#uses++;
    try {
      return await work();
    } finally {
      this.#uses--;
      this.#closeUnused();
    }
  }

  #closeUnused(): void {
    if (!this.#isDisposed || this.#uses > 0 || this.#bytes === -1) return;
    closeSync(this.#descriptor);
    this.#options.release(this.#bytes);
    this.#bytes = -1;
  }
}

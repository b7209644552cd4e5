/**
 * Messages and pieces of files over a stream, in both directions. A frame is a length (4), a kind (1: a message, 2: a
 * piece of a file) and its bytes; a message is JSON, a piece begins with its place in the file (8, a double). All
 * numbers are little-endian. Both sides refuse frames that are too long, and give up a peer that is silent for too
 * long.
 */
import type { Duplex } from 'node:stream';
import { realClock } from '#base';
import { MaintenanceError } from './error.ts';
import { messageBytesMax, pieceBytesMax, silenceMsMax } from './limits.ts';

const headBytes = 5;
const placeBytes = 8;
const kinds = { message: 1, piece: 2 } as const;

export interface Piece {
  readonly offset: number;
  readonly bytes: Buffer;
}

type Frame = { readonly message: unknown } | { readonly piece: Piece };

export class Channel implements Disposable {
  readonly #stream: Duplex;
  readonly #closed = new AbortController();
  readonly #chunks: AsyncIterator<Buffer>;
  #buffered: Buffer[] = [];
  #bytes = 0;

  constructor(stream: Duplex) {
    this.#stream = stream;
    // An error reaches whoever reads or writes next.
    stream.on('error', () => {});
    stream.once('close', () => this.#closed.abort(createCutError()));
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Aborted when the other side is gone. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  async send(message: object): Promise<void> {
    await this.#write(kinds.message, [Buffer.from(JSON.stringify(message))]);
  }

  /** Sends a part of a file, in pieces if it is long. The bytes must not be changed any more: they are not copied. */
  async sendPiece(offset: number, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += pieceBytesMax) {
      const place = Buffer.alloc(placeBytes);
      place.writeDoubleLE(offset + at);
      await this.#write(kinds.piece, [place, bytes.subarray(at, at + pieceBytesMax)]);
    }
  }

  /** The next frame; undefined at the end. */
  async receive(): Promise<Frame | undefined> {
    const head = await this.#take(headBytes);
    if (head === undefined) return undefined;
    const length = head.readUInt32LE();
    const kind = head[4];
    const isMessage = kind === kinds.message;
    const max = isMessage ? messageBytesMax : placeBytes + pieceBytesMax;
    if ((!isMessage && kind !== kinds.piece) || length > max || (!isMessage && length < placeBytes)) {
      throw new MaintenanceError('the connection to the server is damaged: a frame is not valid');
    }
    const body = await this.#take(length);
    if (body === undefined) throw createCutError();
    if (!isMessage) return { piece: { offset: body.readDoubleLE(), bytes: body.subarray(placeBytes) } };
    return { message: parse(body) };
  }

  /** Nothing more is sent. */
  end(): void {
    this.#stream.end();
  }

  [Symbol.dispose](): void {
    this.#stream.destroy();
  }

  async #write(kind: number, parts: readonly Uint8Array[]): Promise<void> {
    if (this.#stream.destroyed || this.#stream.writableEnded) throw createCutError();
    const head = Buffer.alloc(headBytes);
    head.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0));
    head[4] = kind;
    this.#stream.cork();
    let isRead = this.#stream.write(head);
    for (const part of parts) isRead = this.#stream.write(part);
    this.#stream.uncork();
    if (isRead) return;
    await this.#untilHeard(this.#untilDrained());
    if (this.#stream.destroyed) throw createCutError();
  }

  async #untilDrained(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // Each must go when the other has come: there is one of them for each piece of a file.
    this.#stream.once('drain', resolve).once('close', resolve);
    await promise;
    this.#stream.off('drain', resolve).off('close', resolve);
  }

  /** Exactly so many bytes; undefined if the stream ends before the first of them. */
  async #take(bytes: number): Promise<Buffer | undefined> {
    while (this.#bytes < bytes) {
      const { done, value } = await this.#untilHeard(this.#chunks.next());
      if (done === true) {
        if (this.#bytes === 0) return undefined;
        throw createCutError();
      }
      this.#buffered.push(value);
      this.#bytes += value.length;
    }
    const all = this.#buffered.length === 1 ? this.#buffered[0]! : Buffer.concat(this.#buffered);
    this.#buffered = all.length === bytes ? [] : [all.subarray(bytes)];
    this.#bytes -= bytes;
    return all.subarray(0, bytes);
  }

  async #untilHeard<T>(heard: Promise<T>): Promise<T> {
    const giveUp = (): void => void this.#stream.destroy(createSilenceError());
    const timer = realClock.setTimer(realClock.now() + silenceMsMax, giveUp, 'housekeeping');
    try {
      return await heard;
    } finally {
      timer.cancel();
    }
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch (error) {
    throw new MaintenanceError('the connection to the server is damaged: a message is not JSON', {
      cause: error,
    });
  }
}

function createCutError(): MaintenanceError {
  return new MaintenanceError('the connection was closed before the work was done', {
    code: 'CONNECTION_CLOSED',
  });
}

function createSilenceError(): MaintenanceError {
  return new MaintenanceError(`nothing was heard for ${silenceMsMax / 60_000} minutes`, {
    code: 'CONNECTION_SILENT',
  });
}

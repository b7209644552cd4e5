/**
 * The bytes of a link. A frame is its length (4 bytes, little-endian, of what follows), its type (1), how many numbers it
 * has (1), the numbers (8 each, doubles), then its parts: the length of each (4) and its bytes.
 *
 * Writes are batched: everything sent within one turn of the event loop leaves in one system call.
 */
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';
import { frameBytesMax, writeBufferBytes } from './limits.ts';

const headBytes = 6;
const lengthBytes = 4;

export interface LinkFrame {
  readonly type: number;
  readonly numbers: readonly number[];
  readonly parts: readonly Buffer[];
}

/** The other process sent a frame that no correct process sends. */
export class LinkProtocolError extends Error {
  override readonly name = 'LinkProtocolError';
}

export class LinkWriter {
  readonly #beforeFlush: () => void;
  #socket: Socket | undefined;
  /** Full buffers from the time before there was a socket. */
  #waiting: Buffer[] = [];
  #buffer = Buffer.allocUnsafeSlow(writeBufferBytes);
  /** How much of the buffer the socket has received. */
  #sent = 0;
  #end = 0;
  #flushing = false;

  /** `beforeFlush` may add frames that need not be sent promptly. */
  constructor(beforeFlush: () => void = () => {}) {
    this.#beforeFlush = beforeFlush;
  }

  /** Sends queued frames, and from now on all frames, to a socket. */
  attach(socket: Socket): void {
    this.#socket = socket;
    for (const bytes of this.#waiting.splice(0)) socket.write(bytes);
    this.flush();
  }

  /** Bytes that have not left this process. */
  get queuedBytes(): number {
    const waiting = this.#waiting.reduce((sum, { length }) => sum + length, 0);
    return this.#end - this.#sent + (this.#socket?.writableLength ?? waiting);
  }

  send(type: number, numbers: readonly number[], parts: readonly (string | Uint8Array)[]): void {
    let bytes = headBytes + 8 * numbers.length;
    for (const part of parts) bytes += lengthBytes + sizeOf(part);
    if (bytes - lengthBytes > frameBytesMax)
      throw new RangeError(`a message of ${bytes} bytes is too large to be sent to another process`);
    if (this.#end + bytes > this.#buffer.length) this.#replaceBuffer(bytes);
    const buffer = this.#buffer;
    let at = buffer.writeUInt32LE(bytes - lengthBytes, this.#end);
    at = buffer.writeUInt8(type, at);
    at = buffer.writeUInt8(numbers.length, at);
    for (const number of numbers) at = buffer.writeDoubleLE(number, at);
    for (const part of parts) {
      const size = sizeOf(part);
      at = buffer.writeUInt32LE(size, at);
      if (typeof part === 'string') buffer.write(part, at);
      else buffer.set(part, at);
      at += size;
    }
    this.#end = at;
    this.flushLater();
  }

  /** Flushes at the end of this turn of the event loop. */
  flushLater(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(this.#flushNow);
  }

  readonly #flushNow = (): void => this.flush();

  flush(): void {
    this.#flushing = true;
    this.#beforeFlush();
    this.#flushing = false;
    if (this.#sent === this.#end || this.#socket === undefined) return;
    this.#socket.write(this.#buffer.subarray(this.#sent, this.#end));
    this.#sent = this.#end;
  }

  /** The socket references its data until it is sent, so a buffer is never overwritten. */
  #replaceBuffer(bytes: number): void {
    if (this.#sent < this.#end) {
      const bytes = this.#buffer.subarray(this.#sent, this.#end);
      if (this.#socket === undefined) this.#waiting.push(bytes);
      else this.#socket.write(bytes);
    }
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(writeBufferBytes, bytes));
    this.#sent = 0;
    this.#end = 0;
  }
}

function sizeOf(part: string | Uint8Array): number {
  return typeof part === 'string' ? Buffer.byteLength(part) : part.length;
}

export class LinkReader {
  readonly #onFrame: (frame: LinkFrame) => void;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Nothing can be parsed before this many bytes have arrived. */
  #wanted = lengthBytes;

  constructor(onFrame: (frame: LinkFrame) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#wanted) return;
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#bytes);
    let at = 0;
    this.#wanted = lengthBytes;
    while (bytes.length - at >= lengthBytes) {
      const length = bytes.readUInt32LE(at);
      if (length > frameBytesMax || length < headBytes - lengthBytes)
        throw new LinkProtocolError(`a frame of ${length} bytes arrived`);
      if (bytes.length - at - lengthBytes < length) {
        this.#wanted = lengthBytes + length;
        break;
      }
      const start = at + lengthBytes;
      at = start + length;
      this.#onFrame(readFrame(bytes.subarray(start, at)));
    }
    this.#chunks = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#bytes = bytes.length - at;
  }
}

function readFrame(bytes: Buffer): LinkFrame {
  const numbers: number[] = [];
  const parts: Buffer[] = [];
  let at = headBytes - lengthBytes;
  const count = bytes[1]!;
  if (at + 8 * count > bytes.length) throw new LinkProtocolError('a frame ended within its numbers');
  for (let i = 0; i < count; i++, at += 8) {
    const number = bytes.readDoubleLE(at);
    if (!Number.isSafeInteger(number))
      throw new LinkProtocolError('a frame holds a number that is not whole');
    numbers.push(number);
  }
  while (at < bytes.length) {
    const start = at + lengthBytes;
    if (start > bytes.length) throw new LinkProtocolError('a frame ended within a length');
    at = start + bytes.readUInt32LE(at);
    if (at > bytes.length) throw new LinkProtocolError('a frame ended within one of its parts');
    parts.push(bytes.subarray(start, at));
  }
  return { type: bytes[0]!, numbers, parts };
}

export const frameType = {
  /** numbers: call, space, target, operation, names in the path; parts: the names, the arguments. */
  call: 1,
  /** numbers: call, flags; parts: the value. */
  result: 2,
  /** numbers: call; parts: an error record. */
  failure: 3,
  /** numbers: calls. Their results are known: this end will call nothing more on them. */
  settled: 4,
  /** numbers: call. Its result was disposed of. */
  disposal: 5,
  /** numbers: space, target. */
  release: 6,
  /** numbers: entry; parts: its address. */
  entry: 7,
} as const;

export const resultFlag = {
  /** Calls on the result may be in transit: it is kept until `settled`. */
  kept: 1,
  /** It has a disposer. */
  disposable: 2,
  /** Its disposer has an effect at the other end. */
  disposed: 4,
} as const;

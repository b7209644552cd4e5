/**
 * Splits input into frames, after the preface that every client sends first. A frame that is complete in the input is
 * not copied; a split one is gathered in a buffer of its size, so that a frame that arrives byte by byte costs no more
 * than its length.
 */
import { ConnectionError } from '../connection-error.ts';
import { clientPreface, type FrameHead, frameHeadBytes, framePayloadBytesMax } from './frame-types.ts';

export interface Frame extends FrameHead {
  /** Not including its head. Valid until the next call. */
  readonly payload: Buffer;
}

export class FrameReader {
  #prefaceBytes = 0;
  /** The start of an incomplete frame. */
  #held: Buffer | undefined;
  #heldBytes = 0;
  #bytes: Buffer = nothing;
  #offset = 0;

  /** Frames are read from these bytes until `next` returns undefined. Throws if the preface is wrong. */
  push(bytes: Buffer): void {
    this.#bytes = this.#prefaceBytes < clientPreface.length ? this.#removePreface(bytes) : bytes;
    this.#offset = 0;
  }

  #removePreface(bytes: Buffer): Buffer {
    const expected = clientPreface.subarray(this.#prefaceBytes);
    const length = Math.min(expected.length, bytes.length);
    if (bytes.compare(expected, 0, length, 0, length) !== 0)
      throw ConnectionError.protocol('The connection preface is missing.');
    this.#prefaceBytes += length;
    return bytes.subarray(length);
  }

  /** Undefined if the next frame is not complete yet. */
  next(): Frame | undefined {
    if (this.#held !== undefined) return this.#nextHeld(this.#held);
    const bytes = this.#bytes;
    const at = this.#offset;
    if (bytes.length - at < frameHeadBytes) return this.#hold(frameHeadBytes);
    const length = readLength(bytes, at);
    const end = at + frameHeadBytes + length;
    if (end > bytes.length) return this.#hold(frameHeadBytes + length);
    this.#offset = end;
    return toFrame(bytes, at, end);
  }

  /** Keeps the rest in a buffer of this size. */
  #hold(size: number): undefined {
    const { length } = this.#bytes;
    if (this.#offset < length) {
      this.#held = Buffer.allocUnsafe(size);
      this.#heldBytes = this.#bytes.copy(this.#held, 0, this.#offset);
    }
    this.#bytes = nothing;
    this.#offset = 0;
  }

  #nextHeld(held: Buffer): Frame | undefined {
    const copied = this.#bytes.copy(held, this.#heldBytes, this.#offset);
    this.#heldBytes += copied;
    this.#offset += copied;
    if (this.#heldBytes < held.length) return undefined;
    const length = readLength(held, 0);
    const size = frameHeadBytes + length;
    if (held.length < size) {
      // Only the head was expected so far.
      this.#held = Buffer.allocUnsafe(size);
      held.copy(this.#held);
      return this.#nextHeld(this.#held);
    }
    this.#held = undefined;
    this.#heldBytes = 0;
    return toFrame(held, 0, size);
  }
}

function readLength(bytes: Buffer, at: number): number {
  const length = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  if (length > framePayloadBytesMax) throw ConnectionError.frameSize();
  return length;
}

function toFrame(bytes: Buffer, at: number, end: number): Frame {
  return {
    type: bytes[at + 3]!,
    flags: bytes[at + 4]!,
    // The highest bit is reserved.
    streamId: bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
    payload: bytes.subarray(at + frameHeadBytes, end),
  };
}

const nothing = Buffer.alloc(0);

/**
 * Outgoing frames. All connections write into one buffer, one after the other and each to its end, and take a copy of
 * exactly what they wrote: a connection without output needs no memory for it. Long payloads are not copied.
 */
import {
  type FrameHead,
  frameFlag,
  frameHeadBytes,
  framePayloadBytesMax,
  frameType,
  writeFrameHead,
} from './frame-types.ts';
import { HeaderEncoder } from '../hpack/header-encoder.ts';

/** Copying this little costs less than another piece. */
const copiedBytesMax = 4 * 1024;

let scratch = Buffer.allocUnsafeSlow(64 * 1024);

export class Output {
  #length = 0;
  #pieces: Buffer[] = [];
  #piecesBytes = 0;

  /** Bytes written since the last `take`. */
  get bytes(): number {
    return this.#piecesBytes + this.#length;
  }

  writeFrame(head: FrameHead, payload: Buffer): void {
    const { length } = payload;
    const copied = length <= copiedBytesMax ? length : 0;
    this.#reserve(frameHeadBytes + copied);
    writeFrameHead(scratch, this.#length, length, head);
    this.#length += frameHeadBytes;
    if (copied === length) {
      payload.copy(scratch, this.#length);
      this.#length += length;
      return;
    }
    this.#cut();
    this.#pieces.push(payload);
    this.#piecesBytes += length;
  }

  /** Whole frames. */
  write(frames: Buffer): void {
    this.#reserve(frames.length);
    frames.copy(scratch, this.#length);
    this.#length += frames.length;
  }

  /** One frame, or several if the block is long. */
  writeHeaders(
    streamId: number,
    fields: readonly (readonly [string, string])[],
    { encoder, isEnd }: { readonly encoder: HeaderEncoder; readonly isEnd: boolean },
  ): void {
    this.#reserve(frameHeadBytes + HeaderEncoder.measure(fields));
    const at = this.#length + frameHeadBytes;
    const length = encoder.encode(fields, scratch, at) - at;
    const flags = isEnd ? frameFlag.endStream : 0;
    if (length <= framePayloadBytesMax) {
      const head = { type: frameType.headers, flags: flags | frameFlag.endHeaders, streamId };
      writeFrameHead(scratch, this.#length, length, head);
      this.#length = at + length;
      return;
    }
    const block = Buffer.from(scratch.subarray(at, at + length));
    for (let from = 0; from < length; from += framePayloadBytesMax) {
      const end = from + framePayloadBytesMax >= length ? frameFlag.endHeaders : 0;
      const head = {
        type: from === 0 ? frameType.headers : frameType.continuation,
        flags: from === 0 ? flags : end,
        streamId,
      };
      this.writeFrame(head, block.subarray(from, from + framePayloadBytesMax));
    }
  }

  /** The written bytes, in buffers of their own. */
  take(): readonly Buffer[] {
    this.#cut();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#piecesBytes = 0;
    return pieces;
  }

  #cut(): void {
    if (this.#length === 0) return;
    const piece = Buffer.allocUnsafe(this.#length);
    scratch.copy(piece, 0, 0, this.#length);
    this.#pieces.push(piece);
    this.#piecesBytes += this.#length;
    this.#length = 0;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= scratch.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(scratch.length * 2, this.#length + bytes));
    scratch.copy(larger, 0, 0, this.#length);
    scratch = larger;
  }
}

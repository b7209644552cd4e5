/**
 * Queued bytes, in the order in which they arrived. However small the pieces are, and however little of their buffers
 * they use, the queue takes at most about twice its length: without this, a piece of one byte would cost two hundred
 * for the objects around it. A single piece is not copied, nor are large ones that use most of their buffer.
 */

const blockBytesMin = 512;
const blockBytesMax = 64 * 1024;

/** Copying fewer bytes than this costs less than another piece. */
const keptBytesMin = 16 * 1024;

export class HeldBytes {
  #pieces: Buffer[] = [];
  /** The only piece, uncopied, until there is a second one. */
  #single: Buffer | undefined;
  #block: Buffer | undefined;
  #blockLength = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#length === 0) this.#single = bytes;
    else {
      if (this.#single !== undefined) this.#append(this.#single);
      this.#single = undefined;
      this.#append(bytes);
    }
    this.#length += bytes.length;
  }

  /** Returns all bytes and empties the queue. */
  take(): readonly Buffer[] {
    this.#endBlock();
    const pieces = this.#single === undefined ? this.#pieces : [this.#single];
    this.#pieces = [];
    this.#single = undefined;
    this.#length = 0;
    return pieces;
  }

  /** Returns all bytes as one buffer, and keeps them. */
  join(): Buffer {
    const pieces = this.take();
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    this.push(all);
    return all;
  }

  #append(bytes: Buffer): void {
    if (bytes.length >= keptBytesMin && bytes.length * 2 >= bytes.buffer.byteLength) {
      this.#endBlock();
      this.#pieces.push(bytes);
      return;
    }
    for (let from = 0; from < bytes.length;) {
      this.#block ??= Buffer.allocUnsafeSlow(clamp(this.#length, blockBytesMin, blockBytesMax));
      const copied = bytes.copy(this.#block, this.#blockLength, from);
      this.#blockLength += copied;
      from += copied;
      if (this.#blockLength === this.#block.length) this.#endBlock();
    }
  }

  #endBlock(): void {
    const block = this.#block;
    if (block === undefined) return;
    const used = block.subarray(0, this.#blockLength);
    this.#pieces.push(used.length * 2 >= block.length ? used : copyOf(used));
    this.#block = undefined;
    this.#blockLength = 0;
  }
}

function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** Reads the parts values are made of, and never beyond the end of the bytes. */
import { ValueFormatError } from './errors.ts';
import { cachedKey, cachedKeyBytesMax, shortString } from './key-cache.ts';

/** V8 joins strings below this length by copying; a longer one would come out as a rope. */
const joinedLengthMax = 12;

const doubleValue = new Float64Array(1);
const doubleBytes = new Uint8Array(doubleValue.buffer);

export class ByteReader {
  readonly #bytes: Uint8Array;
  #position: number;
  #buffer: Buffer | undefined;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.#position = position;
  }

  get remaining(): number {
    return this.#bytes.length - this.#position;
  }

  byte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw this.malformed('is cut short');
    this.#position++;
    return byte;
  }

  peek(): number | undefined {
    return this.#bytes[this.#position];
  }

  /** At most 32 bits, as all lengths and counts are. */
  varint(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let scale = 0x80; scale <= 2 ** 28; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value >= 2 ** 32) break;
        return value;
      }
    }
    throw this.malformed('holds a length that is too large');
  }

  int32(): number {
    const value = this.varint();
    return (value >>> 1) ^ -(value & 1);
  }

  double(): number {
    const start = this.#advance(8);
    for (let i = 0; i < 8; i++) doubleBytes[i] = this.#bytes[start + i]!;
    return doubleValue[0]!;
  }

  bigint(): bigint {
    const bits = this.varint();
    const length = bits >>> 1;
    const start = this.#advance(length);
    if (length === 0) return 0n;
    const hex = Buffer.from(this.#bytes.subarray(start, start + length))
      .reverse()
      .toString('hex');
    const magnitude = BigInt(`0x${hex}`);
    return bits % 2 === 1 ? -magnitude : magnitude;
  }

  oneByteString(): string {
    const length = this.varint();
    const start = this.#advance(length);
    return length <= joinedLengthMax
      ? shortString(this.#bytes, start, start + length)
      : this.#text('latin1', start, start + length);
  }

  /** As `oneByteString`, for a string that names a property. */
  oneByteKey(): string {
    const length = this.varint();
    const start = this.#advance(length);
    return length <= cachedKeyBytesMax
      ? cachedKey(this.#bytes, start, start + length)
      : this.#text('latin1', start, start + length);
  }

  twoByteString(): string {
    const length = this.varint();
    if (length % 2 === 1) throw this.malformed('holds a two-byte string of odd length');
    const start = this.#advance(length);
    return this.#text('utf16le', start, start + length);
  }

  /** A length and bytes, in a buffer of their own. */
  lengthAndBytes(): Uint8Array<ArrayBuffer> {
    const length = this.varint();
    const start = this.#advance(length);
    return this.#bytes.slice(start, start + length);
  }

  utf8(): string {
    const length = this.varint();
    const start = this.#advance(length);
    return this.#text('utf8', start, start + length);
  }

  /** A copy of the next bytes into the start of the given buffer. */
  copyInto(target: ArrayBuffer, length: number): void {
    const start = this.#advance(length);
    new Uint8Array(target).set(this.#bytes.subarray(start, start + length));
  }

  /** Refuses a count that exceeds the remaining bytes, before anything is allocated for it. */
  atMostRemaining(count: number): number {
    if (count > this.remaining) throw this.malformed('is cut short');
    return count;
  }

  malformed(what: string): ValueFormatError {
    return new ValueFormatError(`a stored value ${what}, at byte ${this.#position} of ${this.#bytes.length}`);
  }

  #advance(length: number): number {
    const start = this.#position;
    if (length > this.#bytes.length - start) throw this.malformed('is cut short');
    this.#position = start + length;
    return start;
  }

  #text(encoding: 'latin1' | 'utf16le' | 'utf8', start: number, end: number): string {
    this.#buffer ??= Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
    return this.#buffer.toString(encoding, start, end);
  }
}

/**
 * A growing scratch buffer for one value at a time. `take` copies out exactly what was written, so the scratch can be
 * used again and bytes already returned never change.
 */
import { smallIntegerMax, smallIntegerMin, tag } from './format.ts';

const scratchBytes = 4096;
/** A scratch grown beyond this by one large value is not worth keeping for the small ones that follow. */
const scratchKeptBytesMax = 1024 * 1024;
/** Up to here a loop beats the call into native code. */
const loopLengthMax = 16;

// V8 drops this whole pattern when the subject is held in one byte per character, so it is free where it matters.
const beyondLatin1 = /[\u0100-\uffff]/;

const doubleValue = new Float64Array(1);
const doubleBytes = new Uint8Array(doubleValue.buffer);

export class ByteWriter {
  #buffer = Buffer.allocUnsafeSlow(scratchBytes);
  #length = 0;

  /** Returns the written bytes in a buffer of their own, and empties the writer. */
  take(): Uint8Array {
    const length = this.#length;
    const bytes = new Uint8Array(length);
    if (length <= 64) {
      const buffer = this.#buffer;
      for (let i = 0; i < length; i++) bytes[i] = buffer[i]!;
    } else {
      bytes.set(this.#buffer.subarray(0, length));
    }
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#length = 0;
    if (this.#buffer.length > scratchKeptBytesMax) this.#buffer = Buffer.allocUnsafeSlow(scratchBytes);
  }

  byte(value: number): void {
    if (this.#length === this.#buffer.length) this.#grow(1);
    this.#buffer[this.#length++] = value;
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  double(value: number): void {
    if (this.#length + 8 > this.#buffer.length) this.#grow(8);
    doubleValue[0] = value;
    const buffer = this.#buffer;
    const start = this.#length;
    for (let i = 0; i < 8; i++) buffer[start + i] = doubleBytes[i]!;
    this.#length = start + 8;
  }

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#buffer.length) this.#grow(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A number with its tag. */
  number(value: number): void {
    if (
      value >= smallIntegerMin &&
      value <= smallIntegerMax &&
      (value | 0) === value &&
      (value !== 0 || 1 / value > 0)
    ) {
      const zigzag = ((value << 1) ^ (value >> 31)) >>> 0;
      if (this.#length + 2 > this.#buffer.length) this.#grow(2);
      this.#buffer[this.#length++] = tag.int32;
      if (zigzag < 0x80) this.#buffer[this.#length++] = zigzag;
      else this.varint(zigzag);
    } else {
      this.byte(tag.double);
      this.double(value);
    }
  }

  /** A bigint without its tag: its sign and the bytes of its magnitude in whole 64-bit digits. */
  bigint(value: bigint): void {
    const magnitude = value < 0n ? -value : value;
    // Through hexadecimal, because shifting digit by digit is quadratic.
    const hex = magnitude === 0n ? '' : magnitude.toString(16);
    const digits = Math.ceil(hex.length / 16);
    this.varint(digits * 16 + (value < 0n ? 1 : 0));
    this.bytes(Buffer.from(hex.padStart(digits * 16, '0'), 'hex').reverse());
  }

  /** A string with its tag. */
  string(value: string): void {
    const { length } = value;
    if (length > loopLengthMax) {
      if (beyondLatin1.test(value)) this.#twoByteString(value);
      else this.#longOneByteString(value);
      return;
    }
    if (this.#length + 2 + length > this.#buffer.length) this.#grow(2 + length);
    const buffer = this.#buffer;
    const start = this.#length;
    buffer[start] = tag.oneByteString;
    buffer[start + 1] = length;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 0xff) {
        this.#twoByteString(value);
        return;
      }
      buffer[start + 2 + i] = code;
    }
    this.#length = start + 2 + length;
  }

  /** A length and UTF-8, the way host objects write text. */
  utf8(value: string): void {
    this.lengthAndBytes(Buffer.from(value));
  }

  lengthAndBytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  #longOneByteString(value: string): void {
    this.byte(tag.oneByteString);
    this.varint(value.length);
    if (this.#length + value.length > this.#buffer.length) this.#grow(value.length);
    this.#length += this.#buffer.write(value, this.#length, 'latin1');
  }

  #twoByteString(value: string): void {
    const bytes = value.length * 2;
    if ((this.#length + 1 + varintBytes(bytes)) % 2 === 1) this.byte(tag.padding);
    this.byte(tag.twoByteString);
    this.varint(bytes);
    if (this.#length + bytes > this.#buffer.length) this.#grow(bytes);
    this.#length += this.#buffer.write(value, this.#length, 'utf16le');
  }

  #grow(extra: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#length + extra));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

function varintBytes(value: number): number {
  let count = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) count++;
  return count;
}

/**
 * Decodes chunks, strictly: a size in hexadecimal digits, CR LF, that many bytes, CR LF; at the end a zero, trailers that
 * are well-formed fields, an empty line. Extensions are skipped up to a limit, trailers are dropped. A bare LF anywhere is
 * an error, because servers disagree about it.
 *
 * The decoded bytes are moved together in the buffer they arrived in, which the caller must own: each buffer gives one
 * result, so a flood of tiny chunks does not become a flood of writes.
 */
import type { BodyDecoder } from './decoder.ts';
import { readFields } from '../field-lines.ts';
import type { FieldName } from '../field-names.ts';
import { chunkExtensionBytesMax, chunkSizeDigitsMax, trailerBytesMax, trailerCountMax } from '../limits.ts';

type ChunkState =
  | 'size'
  | 'extension'
  | 'size-lf'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'trailer'
  | 'done'
  | 'failed';

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const semicolon = 0x3b;
const tab = 0x09;
const firstVisible = 0x20;
const lastVisible = 0x7e;

export class ChunkedDecoder implements BodyDecoder {
  #state: ChunkState = 'size';
  #size = 0;
  #sizeDigits = 0;
  #extensionBytes = 0;
  /** The trailers so far, including the CR LF before them. */
  #trailer = '';
  /** In the bytes decoded last: the offset of the first byte that does not belong to this message. */
  restOffset = 0;

  get isDone(): boolean {
    return this.#state === 'done';
  }

  get isBroken(): boolean {
    return this.#state === 'failed';
  }

  decode(bytes: Buffer): Buffer {
    let written = 0;
    let offset = 0;
    while (offset < bytes.length && this.#state !== 'done' && this.#state !== 'failed') {
      if (this.#state === 'data') {
        const end = Math.min(bytes.length, offset + this.#size);
        if (written !== offset) bytes.copyWithin(written, offset, end);
        written += end - offset;
        this.#size -= end - offset;
        offset = end;
        if (this.#size === 0) this.#state = 'data-cr';
      } else if (this.#state === 'trailer') {
        offset = this.#readTrailer(bytes, offset);
      } else {
        this.#state = this.#afterByte(bytes[offset]!);
        offset++;
      }
    }
    this.restOffset = offset;
    return bytes.subarray(0, written);
  }

  #afterByte(byte: number): ChunkState {
    switch (this.#state) {
      case 'size':
        return this.#afterSizeByte(byte);
      case 'extension':
        if (byte === carriageReturn) return 'size-lf';
        if (++this.#extensionBytes > chunkExtensionBytesMax) return 'failed';
        return byte === tab || (byte >= firstVisible && byte <= lastVisible) ? 'extension' : 'failed';
      case 'size-lf':
        return this.#afterSizeLine(byte);
      case 'data-cr':
        return byte === carriageReturn ? 'data-lf' : 'failed';
      default:
        return byte === lineFeed ? 'size' : 'failed';
    }
  }

  #afterSizeByte(byte: number): ChunkState {
    const digit = parseHexDigit(byte);
    if (digit >= 0) {
      this.#size = this.#size * 16 + digit;
      return ++this.#sizeDigits > chunkSizeDigitsMax ? 'failed' : 'size';
    }
    if (this.#sizeDigits === 0) return 'failed';
    if (byte === carriageReturn) return 'size-lf';
    return byte === semicolon && ++this.#extensionBytes <= chunkExtensionBytesMax ? 'extension' : 'failed';
  }

  #afterSizeLine(byte: number): ChunkState {
    if (byte !== lineFeed) return 'failed';
    this.#sizeDigits = 0;
    if (this.#size > 0) return 'data';
    this.#trailer = '\r\n';
    return 'trailer';
  }

  /** Returns the offset after what it read. */
  #readTrailer(bytes: Buffer, offset: number): number {
    const before = this.#trailer.length;
    const room = trailerBytesMax - before;
    const text = this.#trailer + bytes.toString('latin1', offset, Math.min(bytes.length, offset + room));
    // The empty line: directly after the last chunk, or after the last field.
    const end = text.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if (end === -1) {
      this.#trailer = text;
      if (text.length >= trailerBytesMax || hasBareLineFeed(text, before)) this.#state = 'failed';
      return bytes.length;
    }
    const fields = text.slice(2, end);
    const limits = { countMax: trailerCountMax, lineBytesMax: trailerBytesMax };
    const read = fields === '' ? undefined : readFields(fields, 0, limits);
    const isValid = read === undefined || (typeof read !== 'string' && read.names.every(isHarmlessTrailer));
    this.#state = isValid ? 'done' : 'failed';
    return offset + end + 4 - before;
  }
}

/** A trailer with the name of a field that frames or routes is an attempt to have it read as part of the head. */
export function isHarmlessTrailer({ role }: FieldName): boolean {
  return role === 'plain' || role === 'forwarded';
}

function hasBareLineFeed(text: string, from: number): boolean {
  const at = text.indexOf('\n', from);
  return at !== -1 && text[at - 1] !== '\r';
}

function parseHexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

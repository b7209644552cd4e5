/** Transformations that decode. */
import { changeBytes, decodeUrlEscapes } from '#text';
import { anyByte, byteKinds } from './byte-kinds.ts';
import type { Transformation } from './transformation.ts';

/** Control characters by their letter after a backslash. */
const letters: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The byte of a four-digit code: full-width forms become the letter they look like, others their low byte. */
function foldCode(high: number, low: number): number {
  return high === 0xff && low > 0 && low < 0x5f ? low + 0x20 : low;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** By byte: its six bits, or -1 outside of the alphabet. */
const bitsOf = new Int8Array(256).fill(-1);
for (let bits = 0; bits < alphabet.length; bits++) bitsOf[alphabet.charCodeAt(bits)] = bits;

/**
 * Stops at the first byte outside of the alphabet. Decodes in place: a rule applies it to every argument of a request.
 */
const base64Decode: Transformation = {
  name: 'base64decode',
  touches: anyByte,
  apply: (value) => changeBytes(value, decodeInPlace),
};

function decodeInPlace(bytes: Uint8Array, length: number): number {
  let end = 0;
  let held = 0;
  let heldBits = 0;
  for (let at = 0; at < length; at++) {
    const bits = bitsOf[bytes[at]!]!;
    if (bits === -1) break;
    held = (held << 6) | bits;
    heldBits += 6;
    if (heldBits < 8) continue;
    heldBits -= 8;
    bytes[end++] = held >>> heldBits;
    held &= (1 << heldBits) - 1;
  }
  return end;
}

/** Skips bytes outside of the alphabet. */
const base64DecodeExt: Transformation = {
  name: 'base64decodeext',
  touches: anyByte,
  apply: (value) => Buffer.from(value.replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64').toString('latin1'),
};

/** Escapes of style sheets: up to six digits and one following space. An escaped line end disappears. */
const cssDecode: Transformation = {
  name: 'cssdecode',
  touches: byteKinds.backslash,
  apply: (value) =>
    value.replaceAll(
      /\\(?:([0-9A-Fa-f]{1,6})[ \t\n\v\f\r]?|(\n)|([^])|$)/g,
      (_, digits: string | undefined, lineEnd: string | undefined, other: string | undefined) => {
        if (digits === undefined) return lineEnd === undefined ? (other ?? '') : '';
        const code = Number.parseInt(digits, 16);
        const isFullWidth = digits.length >= 4 && (code >> 8) % 0x100 === 0xff && code <= 0xffff;
        return String.fromCharCode(isFullWidth ? foldCode(0xff, code & 0xff) : code & 0xff);
      },
    ),
};

/** C escapes. Invalid ones keep their backslash. */
const escapeSeqDecode: Transformation = {
  name: 'escapeseqdecode',
  touches: byteKinds.backslash,
  apply: (value) =>
    value.replaceAll(
      /\\(?:x([0-9A-Fa-f]{2})|([0-7]{1,3})|([^]))/g,
      (whole, hex: string | undefined, octal: string | undefined, other: string) => {
        if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
        return letters[other] ?? (/[\\?'"]/.test(other) ? other : whole);
      },
    ),
};

const hexDecode: Transformation = {
  name: 'hexdecode',
  touches: anyByte,
  apply: (value) => Buffer.from(value, 'hex').toString('latin1'),
};

/** `0x414243`, the SQL notation for bytes. */
const sqlHexDecode: Transformation = {
  name: 'sqlhexdecode',
  touches: byteKinds.digit,
  apply: (value) =>
    value.replaceAll(/0[xX]((?:[0-9A-Fa-f]{2})+)/g, (_, digits: string) =>
      Buffer.from(digits, 'hex').toString('latin1'),
    ),
};

const entities: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', nbsp: '\u00a0' };

/**
 * Numbers and the five names that matter for markup, with or without a semicolon. Larger numbers become their low byte.
 */
const htmlEntityDecode: Transformation = {
  name: 'htmlentitydecode',
  touches: byteKinds.ampersand,
  apply: (value) =>
    value.replaceAll(
      /&(?:#[xX]([0-9A-Fa-f]+)|#([0-9]+)|(quot|amp|lt|gt|nbsp)(?![0-9A-Za-z]));?/gi,
      (_, hex: string | undefined, decimal: string | undefined, name: string) => {
        if (hex !== undefined) return lowByte(Number.parseInt(hex.slice(-8), 16));
        if (decimal !== undefined) return lowByte(Number.parseInt(decimal.slice(-9), 10));
        return entities[name.toLowerCase()]!;
      },
    ),
};

function lowByte(code: number): string {
  return String.fromCharCode(code & 0xff);
}

/** Escapes of JavaScript strings. A backslash before anything else disappears. */
const jsDecode: Transformation = {
  name: 'jsdecode',
  touches: byteKinds.backslash,
  apply: (value) =>
    value.replaceAll(
      /\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([0-3][0-7]{0,2}|[4-7][0-7]?)|([^]))/g,
      (_, code: string | undefined, hex: string | undefined, octal: string | undefined, other: string) => {
        if (code !== undefined)
          return String.fromCharCode(
            foldCode(Number.parseInt(code.slice(0, 2), 16), Number.parseInt(code.slice(2), 16)),
          );
        if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
        return letters[other] ?? other;
      },
    ),
};

/** Escapes without two digits stay unchanged. */
const urlDecode: Transformation = {
  name: 'urldecode',
  touches: byteKinds.percent | byteKinds.plus,
  apply: (value) => decodeUrlEscapes(value),
};

/** As urlDecode, and `%uHHHH`. */
const urlDecodeUni: Transformation = {
  name: 'urldecodeuni',
  touches: byteKinds.percent | byteKinds.plus,
  apply: (value) => decodeUrlEscapes(value, { writeCode: writeFolded }),
};

function writeFolded(bytes: Uint8Array, at: number, code: number): number {
  bytes[at] = foldCode(code >> 8, code & 0xff);
  return at + 1;
}

const utf8Sequence =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/g;

/** UTF-8 characters beyond ASCII become `%uHHHH`, so that urlDecodeUni can fold similar-looking characters. */
const utf8toUnicode: Transformation = {
  name: 'utf8tounicode',
  touches: byteKinds.high,
  apply: (value) =>
    value.replaceAll(utf8Sequence, (bytes) => {
      let code = bytes.charCodeAt(0) & (0x7f >> bytes.length);
      for (let at = 1; at < bytes.length; at++) code = code * 0x40 + (bytes.charCodeAt(at) & 0x3f);
      return `%u${code.toString(16).padStart(4, '0')}`;
    }),
};

export const decoding: readonly Transformation[] = [
  base64Decode,
  base64DecodeExt,
  cssDecode,
  escapeSeqDecode,
  hexDecode,
  htmlEntityDecode,
  jsDecode,
  sqlHexDecode,
  urlDecode,
  urlDecodeUni,
  utf8toUnicode,
];

/** Decodes the escapes of JSON strings: `\u0027` hides a quote from every pattern. The time is linear. */
import { changeBytes } from './binary-string.ts';
import { readHex } from './hex.ts';

/**
 * As a JSON parser does, anywhere in a document; other escapes stay. Takes and returns binary strings: escapes of
 * characters beyond ASCII become UTF-8.
 */
export function decodeJsonEscapes(text: string): string {
  return text.includes('\\') ? changeBytes(text, (bytes, length) => decode(bytes, length, false)) : text;
}

/** As parsers do that accept any character after a backslash as itself. */
export function decodeAllEscapes(text: string): string {
  return text.includes('\\') ? changeBytes(text, (bytes, length) => decode(bytes, length, true)) : text;
}

const backslash = 0x5c;
const smallU = 0x75;

/** The byte that each character means after a backslash; 0 for characters that JSON does not define. */
const signs = new Uint8Array(256);
for (const sign of String.raw`"\/`) signs[sign.charCodeAt(0)] = sign.charCodeAt(0);
for (const [sign, meant] of ['b\b', 'f\f', 'n\n', 'r\r', 't\t'])
  signs[sign!.charCodeAt(0)] = meant!.charCodeAt(0);

/** Decodes in place: the result is never longer. Returns its length. */
function decode(bytes: Uint8Array, length: number, takesAny: boolean): number {
  let to = 0;
  let at = 0;
  while (at < length) {
    const byte = bytes[at++]!;
    if (byte !== backslash || at === length) {
      bytes[to++] = byte;
      continue;
    }
    const sign = bytes[at]!;
    const unit = sign === smallU || (takesAny && sign === 0x55) ? readUnit(bytes, at + 1, length) : -1;
    if (unit !== -1) {
      at += 5;
      const low = isHigh(unit) && isEscape(bytes, at, takesAny) ? readUnit(bytes, at + 2, length) : -1;
      const isPair = low >= 0xdc00 && low < 0xe000;
      if (isPair) at += 6;
      to = writeCodePoint(bytes, to, isPair ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : unit);
      continue;
    }
    const meant = signs[sign]!;
    if (meant === 0 && !takesAny) {
      bytes[to++] = backslash;
      continue;
    }
    bytes[to++] = meant === 0 ? sign : meant;
    at++;
  }
  return to;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isEscape(bytes: Uint8Array, at: number, takesAny: boolean): boolean {
  return bytes[at] === backslash && (bytes[at + 1] === smallU || (takesAny && bytes[at + 1] === 0x55));
}

/** Four digits, or -1. */
function readUnit(bytes: Uint8Array, from: number, length: number): number {
  return from + 4 > length ? -1 : readHex(bytes, from, from + 4);
}

/** In UTF-8; half a pair becomes U+FFFD. */
export function writeCodePoint(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  const point = code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
  let to = at;
  if (point < 0x800) bytes[to++] = 0xc0 | (point >> 6);
  else {
    if (point < 0x10000) bytes[to++] = 0xe0 | (point >> 12);
    else {
      bytes[to++] = 0xf0 | (point >> 18);
      bytes[to++] = 0x80 | ((point >> 12) & 0x3f);
    }
    bytes[to++] = 0x80 | ((point >> 6) & 0x3f);
  }
  bytes[to++] = 0x80 | (point & 0x3f);
  return to;
}

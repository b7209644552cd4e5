import { changeBytes } from '#base';
import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { foldCode, hexValue } from './hex.ts';

/** Escapes without two digits stay unchanged. */
export const urlDecode: Transformation = {
  name: 'urldecode',
  touches: byteKinds.percent | byteKinds.plus,
  apply: (value) => changeBytes(value, (bytes, length) => decodeUrlEscapes(bytes, length, false)),
};

/** As urlDecode, and `%uHHHH`. */
export const urlDecodeUni: Transformation = {
  name: 'urldecodeuni',
  touches: byteKinds.percent | byteKinds.plus,
  apply: (value) => changeBytes(value, (bytes, length) => decodeUrlEscapes(bytes, length, true)),
};

const [percent, plus, space] = [0x25, 0x2b, 0x20];

/**
 * Decodes URL escapes in place: `+`, `%HH`, and with `hasCodes` also `%uHHHH`. Invalid escapes stay unchanged. Returns
 * the number of bytes left.
 */
function decodeUrlEscapes(bytes: Uint8Array, length: number, hasCodes: boolean): number {
  let end = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!;
    if (byte === plus) bytes[end++] = space;
    else if (byte !== percent) bytes[end++] = byte;
    else {
      const isCode = hasCodes && at + 5 < length && (bytes[at + 1]! | 0x20) === 0x75;
      const [high, low] = isCode
        ? [readHex(bytes, at + 2, length), readHex(bytes, at + 4, length)]
        : [0, readHex(bytes, at + 1, length)];
      if (high === -1 || low === -1) bytes[end++] = percent;
      else {
        bytes[end++] = isCode ? foldCode(high, low) : low;
        at += isCode ? 5 : 2;
      }
    }
  }
  return end;
}

/** The byte of two digits, or -1. */
function readHex(bytes: Uint8Array, at: number, length: number): number {
  if (at + 1 >= length) return -1;
  const [high, low] = [hexValue(bytes[at]!), hexValue(bytes[at + 1]!)];
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

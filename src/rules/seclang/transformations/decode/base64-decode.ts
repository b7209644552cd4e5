import { changeBytes } from '#base';
import { anyByte } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** By byte: its six bits, or -1 outside of the alphabet. */
const bitsOf = new Int8Array(256).fill(-1);
for (let bits = 0; bits < alphabet.length; bits++) bitsOf[alphabet.charCodeAt(bits)] = bits;

/**
 * Stops at the first byte outside of the alphabet. Decodes in place: a rule applies it to every argument of a request.
 */
export const base64Decode: Transformation = {
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
export const base64DecodeExt: Transformation = {
  name: 'base64decodeext',
  touches: anyByte,
  apply: (value) => Buffer.from(value.replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64').toString('latin1'),
};

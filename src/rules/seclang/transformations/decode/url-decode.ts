import { decodeUrlEscapes } from '#base';
import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { foldCode } from './hex.ts';

/** Escapes without two digits stay unchanged. */
export const urlDecode: Transformation = {
  name: 'urldecode',
  touches: byteKinds.percent | byteKinds.plus,
  apply: (value) => decodeUrlEscapes(value),
};

/** As urlDecode, and `%uHHHH`. */
export const urlDecodeUni: Transformation = {
  name: 'urldecodeuni',
  touches: byteKinds.percent | byteKinds.plus,
  apply: (value) => decodeUrlEscapes(value, { writeCode: writeFolded }),
};

function writeFolded(bytes: Uint8Array, at: number, code: number): number {
  bytes[at] = foldCode(code >> 8, code & 0xff);
  return at + 1;
}

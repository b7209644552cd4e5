import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { readHexByte } from './hex.ts';

/** Escapes that are no two digits stay as they are. */
function decodeUrl(value: string): string {
  return value
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(readHexByte(digits, 0)));
}

export const urlDecode: Transformation = {
  name: 'urldecode',
  touches: byteKinds.percent | byteKinds.plus,
  apply: decodeUrl,
};

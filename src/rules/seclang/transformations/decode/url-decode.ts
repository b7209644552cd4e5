import { changeBytes } from '#base';
import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { decodeUrlEscapes } from './url-escapes.ts';

/** Escapes without two digits stay unchanged. */
export const urlDecode: Transformation = {
  name: 'urldecode',
  touches: byteKinds.percent | byteKinds.plus,
  apply: (value) => changeBytes(value, (bytes, length) => decodeUrlEscapes(bytes, length, false)),
};

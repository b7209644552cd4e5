import { changeBytes } from '#base';
import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { decodeUrlEscapes } from './url-escapes.ts';

/** Escapes that are no two digits stay as they are. */
export const urlDecode: Transformation = {
  name: 'urldecode',
  touches: byteKinds.percent | byteKinds.plus,
  apply: (value) => changeBytes(value, (bytes, length) => decodeUrlEscapes(bytes, length, false)),
};

import { changeBytes } from '#base';
import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { decodeUrlEscapes } from './url-escapes.ts';

/** As urlDecode, and `%uHHHH`. */
export const urlDecodeUni: Transformation = {
  name: 'urldecodeuni',
  touches: byteKinds.percent | byteKinds.plus,
  apply: (value) => changeBytes(value, (bytes, length) => decodeUrlEscapes(bytes, length, true)),
};

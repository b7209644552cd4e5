import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** Single spaces stay unchanged. */
const changed = /[\t\n\v\f\r\u00a0]| {2}/;

export const compressWhitespace: Transformation = {
  name: 'compresswhitespace',
  touches: byteKinds.space,
  apply: (value) => (changed.test(value) ? value.replaceAll(/[ \t\n\v\f\r\u00a0]+/g, ' ') : value),
};

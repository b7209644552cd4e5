import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

export const removeWhitespace: Transformation = {
  name: 'removewhitespace',
  touches: byteKinds.space,
  apply: (value) => value.replaceAll(/[ \t\n\v\f\r\u00a0]+/g, ''),
};

import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** Each C comment becomes a space, including an unclosed one. A lone comment end stays. */
export const replaceComments: Transformation = {
  name: 'replacecomments',
  touches: byteKinds.star,
  apply: (value) => value.replaceAll(/\/\*[^]*?(?:\*\/|$)/g, ' '),
};

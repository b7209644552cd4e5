import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** Each comment of C becomes a space, one that is not closed too. A lone end of a comment stays. */
export const replaceComments: Transformation = {
  name: 'replacecomments',
  touches: byteKinds.star,
  apply: (value) => value.replaceAll(/\/\*[^]*?(?:\*\/|$)/g, ' '),
};

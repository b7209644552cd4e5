import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** Comments of C, HTML and SQL; those of SQL extend to the end. */
export const removeComments: Transformation = {
  name: 'removecomments',
  touches: byteKinds.star | byteKinds.hash | byteKinds.dash,
  apply: (value) => value.replaceAll(/\/\*[^]*?(?:\*\/|$)|<!--[^]*?(?:-->|$)|--[^]*$|#[^]*$/g, ''),
};

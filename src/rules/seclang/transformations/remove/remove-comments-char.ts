import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** Removes only the characters that start and end comments. */
export const removeCommentsChar: Transformation = {
  name: 'removecommentschar',
  touches: byteKinds.star | byteKinds.hash | byteKinds.dash,
  apply: (value) => value.replaceAll(/\/\*|\*\/|<!--|-->|--|#/g, ''),
};

import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** ASCII only: bytes beyond it are no letters here. */
export const lowercase: Transformation = {
  name: 'lowercase',
  touches: byteKinds.upper,
  changesCaseOnly: true,
  apply: (value) => value.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
};

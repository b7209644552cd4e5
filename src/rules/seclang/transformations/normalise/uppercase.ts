import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

export const uppercase: Transformation = {
  name: 'uppercase',
  touches: byteKinds.lower,
  changesCaseOnly: true,
  apply: (value) => value.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
};

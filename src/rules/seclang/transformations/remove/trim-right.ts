import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { trimText } from './trim.ts';

export const trimRight: Transformation = {
  name: 'trimright',
  touches: byteKinds.space,
  apply: (value) => trimText(value, { left: false, right: true }),
};

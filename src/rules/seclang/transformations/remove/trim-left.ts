import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { trimText } from './trim.ts';

export const trimLeft: Transformation = {
  name: 'trimleft',
  touches: byteKinds.space,
  apply: (value) => trimText(value, { left: true, right: false }),
};

import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

export const replaceNulls: Transformation = {
  name: 'replacenulls',
  touches: byteKinds.nul,
  apply: (value) => value.replaceAll('\0', ' '),
};

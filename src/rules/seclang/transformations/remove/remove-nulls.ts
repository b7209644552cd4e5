import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

export const removeNulls: Transformation = {
  name: 'removenulls',
  touches: byteKinds.nul,
  apply: (value) => value.replaceAll('\0', ''),
};

import { anyByte } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

export const length: Transformation = {
  name: 'length',
  touches: anyByte,
  apply: (value) => String(value.length),
};

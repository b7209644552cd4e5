import { anyByte } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

export const base64Encode: Transformation = {
  name: 'base64encode',
  touches: anyByte,
  apply: (value) => Buffer.from(value, 'latin1').toString('base64'),
};

import { anyByte } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

export const hexEncode: Transformation = {
  name: 'hexencode',
  touches: anyByte,
  apply: (value) => Buffer.from(value, 'latin1').toString('hex'),
};

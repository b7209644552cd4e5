import { anyByte } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

export const hexDecode: Transformation = {
  name: 'hexdecode',
  touches: anyByte,
  apply: (value) => Buffer.from(value, 'hex').toString('latin1'),
};

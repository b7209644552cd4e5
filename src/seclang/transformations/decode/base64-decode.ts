import { anyByte } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** Stops at the first byte that is not of the alphabet. */
export const base64Decode: Transformation = {
  name: 'base64decode',
  touches: anyByte,
  apply: (value) => Buffer.from(/^[A-Za-z0-9+/]*/.exec(value)![0], 'base64').toString('latin1'),
};

import { createHash } from 'node:crypto';
import { anyByte } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** The raw bytes of the digest. */
export const md5: Transformation = {
  name: 'md5',
  touches: anyByte,
  apply: (value) => createHash('md5').update(value, 'latin1').digest('latin1'),
};

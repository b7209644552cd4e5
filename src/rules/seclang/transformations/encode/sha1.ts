import { createHash } from 'node:crypto';
import { anyByte } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** The raw bytes of the digest. */
export const sha1: Transformation = {
  name: 'sha1',
  touches: anyByte,
  apply: (value) => createHash('sha1').update(value, 'latin1').digest('latin1'),
};

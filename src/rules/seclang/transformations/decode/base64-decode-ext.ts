import { anyByte } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** Skips bytes outside of the alphabet. */
export const base64DecodeExt: Transformation = {
  name: 'base64decodeext',
  touches: anyByte,
  apply: (value) => Buffer.from(value.replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64').toString('latin1'),
};

import { anyByte } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

export const urlEncode: Transformation = {
  name: 'urlencode',
  touches: anyByte,
  apply: (value) =>
    value.replaceAll(/[^A-Za-z0-9*]/g, (byte) =>
      byte === ' ' ? '+' : `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
    ),
};

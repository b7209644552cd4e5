import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { normalizePathText } from './normalize-path.ts';

/** As normalizePath, with backslashes as slashes. */
export const normalizePathWin: Transformation = {
  name: 'normalizepathwin',
  touches: byteKinds.slash | byteKinds.dot | byteKinds.backslash,
  apply: (value) => {
    const slashed = value.includes('\\') ? value.replaceAll('\\', '/') : value;
    return slashed.includes('/') ? normalizePathText(slashed) : slashed;
  },
};

import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** The parts to remove. */
const unusual = /\/\/|(?:^|\/)\.{1,2}(?:\/|$)/;

/** Removes repeated slashes, `.` and `..`. A path never climbs above its start, unless it is relative. */
export function normalizePathText(path: string): string {
  if (!unusual.test(path)) return path;
  const isAbsolute = path.startsWith('/');
  const segments = path.split('/');
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isAbsolute) kept.push(segment);
  }
  const endsOpen = /\/\.{0,2}$/.test(path) && kept.length > 0;
  const text = kept.join('/');
  return (isAbsolute ? '/' : '') + text + (endsOpen ? '/' : '');
}

export const normalizePath: Transformation = {
  name: 'normalizepath',
  touches: byteKinds.slash | byteKinds.dot,
  apply: (value) => (value.includes('/') ? normalizePathText(value) : value),
};

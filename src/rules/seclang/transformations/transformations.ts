/** Every transformation, by its name after `t:` in rules, in lower case. */
import { decoding } from './decode.ts';
import { encoding } from './encode.ts';
import { normalising, normalizePath, normalizePathWin } from './normalise.ts';
import { removing } from './remove.ts';
import type { Transformation } from './transformation.ts';

const all: readonly Transformation[] = [...decoding, ...encoding, ...normalising, ...removing];

export const transformations: ReadonlyMap<string, Transformation> = new Map([
  ...all.map((transformation) => [transformation.name, transformation] as const),
  // The British spelling, which rules also use: the same objects, so that chains of either share their results.
  ['normalisepath', normalizePath] as const,
  ['normalisepathwin', normalizePathWin] as const,
]);

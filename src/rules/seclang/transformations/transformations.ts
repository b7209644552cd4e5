/** Every transformation, by its name after `t:` in rules, in lower case. */
import { base64Decode, base64DecodeExt } from './decode/base64-decode.ts';
import { cssDecode } from './decode/css-decode.ts';
import { escapeSeqDecode } from './decode/escape-seq-decode.ts';
import { hexDecode, sqlHexDecode } from './decode/hex-decode.ts';
import { htmlEntityDecode } from './decode/html-entity-decode.ts';
import { jsDecode } from './decode/js-decode.ts';
import { urlDecode, urlDecodeUni } from './decode/url-decode.ts';
import { utf8toUnicode } from './decode/utf8-to-unicode.ts';
import { encoding } from './encode.ts';
import { normalising, normalizePath, normalizePathWin } from './normalise.ts';
import { removing } from './remove.ts';
import type { Transformation } from './transformation.ts';

const all: readonly Transformation[] = [
  base64Decode,
  base64DecodeExt,
  cssDecode,
  escapeSeqDecode,
  hexDecode,
  htmlEntityDecode,
  jsDecode,
  sqlHexDecode,
  urlDecode,
  urlDecodeUni,
  utf8toUnicode,
  ...encoding,
  ...normalising,
  ...removing,
];

export const transformations: ReadonlyMap<string, Transformation> = new Map([
  ...all.map((transformation) => [transformation.name, transformation] as const),
  // The British spelling, which rules also use: the same objects, so that chains of either share their results.
  ['normalisepath', normalizePath] as const,
  ['normalisepathwin', normalizePathWin] as const,
]);

/** Every transformation, by its name after `t:` in rules, in lower case. */
import { base64DecodeExt } from './decode/base64-decode-ext.ts';
import { base64Decode } from './decode/base64-decode.ts';
import { cssDecode } from './decode/css-decode.ts';
import { escapeSeqDecode } from './decode/escape-seq-decode.ts';
import { hexDecode } from './decode/hex-decode.ts';
import { htmlEntityDecode } from './decode/html-entity-decode.ts';
import { jsDecode } from './decode/js-decode.ts';
import { sqlHexDecode } from './decode/sql-hex-decode.ts';
import { urlDecodeUni } from './decode/url-decode-uni.ts';
import { urlDecode } from './decode/url-decode.ts';
import { utf8toUnicode } from './decode/utf8-to-unicode.ts';
import { base64Encode } from './encode/base64-encode.ts';
import { hexEncode } from './encode/hex-encode.ts';
import { length } from './encode/length.ts';
import { md5 } from './encode/md5.ts';
import { sha1 } from './encode/sha1.ts';
import { urlEncode } from './encode/url-encode.ts';
import { cmdLine } from './normalise/cmd-line.ts';
import { lowercase } from './normalise/lowercase.ts';
import { normalizePathWin } from './normalise/normalize-path-win.ts';
import { normalizePath } from './normalise/normalize-path.ts';
import { uppercase } from './normalise/uppercase.ts';
import { compressWhitespace } from './remove/compress-whitespace.ts';
import { removeCommentsChar } from './remove/remove-comments-char.ts';
import { removeComments } from './remove/remove-comments.ts';
import { removeNulls } from './remove/remove-nulls.ts';
import { removeWhitespace } from './remove/remove-whitespace.ts';
import { replaceComments } from './remove/replace-comments.ts';
import { replaceNulls } from './remove/replace-nulls.ts';
import { trimLeft } from './remove/trim-left.ts';
import { trimRight } from './remove/trim-right.ts';
import { trim } from './remove/trim.ts';
import type { Transformation } from './transformation.ts';

const all: readonly Transformation[] = [
  base64Decode,
  base64DecodeExt,
  base64Encode,
  cmdLine,
  compressWhitespace,
  cssDecode,
  escapeSeqDecode,
  hexDecode,
  hexEncode,
  htmlEntityDecode,
  jsDecode,
  length,
  lowercase,
  md5,
  normalizePath,
  normalizePathWin,
  removeComments,
  removeCommentsChar,
  removeNulls,
  removeWhitespace,
  replaceComments,
  replaceNulls,
  sha1,
  sqlHexDecode,
  trim,
  trimLeft,
  trimRight,
  uppercase,
  urlDecode,
  urlDecodeUni,
  urlEncode,
  utf8toUnicode,
];

export const transformations: ReadonlyMap<string, Transformation> = new Map([
  ...all.map((transformation) => [transformation.name, transformation] as const),
  // The British spelling, which rules also use.
  ['normalisepath', normalizePath] as const,
  ['normalisepathwin', normalizePathWin] as const,
]);

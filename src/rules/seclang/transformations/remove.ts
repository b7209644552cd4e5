/** Transformations that remove or replace parts of a value. */
import { byteKinds } from './byte-kinds.ts';
import type { Transformation } from './transformation.ts';

/** Single spaces stay unchanged. */
const changed = /[\t\n\v\f\r\u00a0]| {2}/;

const compressWhitespace: Transformation = {
  name: 'compresswhitespace',
  touches: byteKinds.space,
  apply: (value) => (changed.test(value) ? value.replaceAll(/[ \t\n\v\f\r\u00a0]+/g, ' ') : value),
};

/** Removes only the characters that start and end comments. */
const removeCommentsChar: Transformation = {
  name: 'removecommentschar',
  touches: byteKinds.star | byteKinds.hash | byteKinds.dash,
  apply: (value) => value.replaceAll(/\/\*|\*\/|<!--|-->|--|#/g, ''),
};

/** Comments of C, HTML and SQL; those of SQL extend to the end. */
const removeComments: Transformation = {
  name: 'removecomments',
  touches: byteKinds.star | byteKinds.hash | byteKinds.dash,
  apply: (value) => value.replaceAll(/\/\*[^]*?(?:\*\/|$)|<!--[^]*?(?:-->|$)|--[^]*$|#[^]*$/g, ''),
};

const removeNulls: Transformation = {
  name: 'removenulls',
  touches: byteKinds.nul,
  apply: (value) => value.replaceAll('\0', ''),
};

const removeWhitespace: Transformation = {
  name: 'removewhitespace',
  touches: byteKinds.space,
  apply: (value) => value.replaceAll(/[ \t\n\v\f\r\u00a0]+/g, ''),
};

/** Each C comment becomes a space, including an unclosed one. A lone comment end stays. */
const replaceComments: Transformation = {
  name: 'replacecomments',
  touches: byteKinds.star,
  apply: (value) => value.replaceAll(/\/\*[^]*?(?:\*\/|$)/g, ' '),
};

const replaceNulls: Transformation = {
  name: 'replacenulls',
  touches: byteKinds.nul,
  apply: (value) => value.replaceAll('\0', ' '),
};

/** Scanned by hand: a pattern that ends in `$` would scan a run of spaces once for each of them. */
function trimText(
  value: string,
  { left, right }: { readonly left: boolean; readonly right: boolean },
): string {
  let start = 0;
  let end = value.length;
  if (left) while (start < end && isSpace(value.charCodeAt(start))) start++;
  if (right) while (end > start && isSpace(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

const trim: Transformation = {
  name: 'trim',
  touches: byteKinds.space,
  apply: (value) => trimText(value, { left: true, right: true }),
};

const trimLeft: Transformation = {
  name: 'trimleft',
  touches: byteKinds.space,
  apply: (value) => trimText(value, { left: true, right: false }),
};

const trimRight: Transformation = {
  name: 'trimright',
  touches: byteKinds.space,
  apply: (value) => trimText(value, { left: false, right: true }),
};

export const removing: readonly Transformation[] = [
  compressWhitespace,
  removeComments,
  removeCommentsChar,
  removeNulls,
  removeWhitespace,
  replaceComments,
  replaceNulls,
  trim,
  trimLeft,
  trimRight,
];

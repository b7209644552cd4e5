/** Transformations that write equal things equally: case, paths, commands. */
import { changeBytes } from '#text';
import { byteKinds } from './byte-kinds.ts';
import type { Transformation } from './transformation.ts';

/** ASCII only: bytes beyond it do not count as letters. */
const lowercase: Transformation = {
  name: 'lowercase',
  touches: byteKinds.upper,
  changesCaseOnly: true,
  apply: (value) =>
    changeBytes(value, (bytes, length) => {
      for (let at = 0; at < length; at++) {
        const byte = bytes[at]!;
        if (byte >= 0x41 && byte <= 0x5a) bytes[at] = byte | 0x20;
      }
      return length;
    }),
};

const uppercase: Transformation = {
  name: 'uppercase',
  touches: byteKinds.lower,
  changesCaseOnly: true,
  apply: (value) => value.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
};

/** The parts to remove. */
const unusual = /\/\/|(?:^|\/)\.{1,2}(?:\/|$)/;

/** Removes repeated slashes, `.` and `..`. A path never climbs above its start, unless it is relative. */
function normalizePathText(path: string): string {
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

/** As normalizePath, with backslashes as slashes. */
export const normalizePathWin: Transformation = {
  name: 'normalizepathwin',
  touches: byteKinds.slash | byteKinds.dot | byteKinds.backslash,
  apply: (value) => {
    const slashed = value.includes('\\') ? value.replaceAll('\\', '/') : value;
    return slashed.includes('/') ? normalizePathText(slashed) : slashed;
  },
};

/** The treatment of a byte: it stays, is dropped, or becomes one space together with its neighbours. */
const [dropped, separator, noSpaceBefore] = [1, 2, 3];
const roleOf = new Uint8Array(256);
for (const [characters, role] of [
  ['\\"\'^', dropped],
  [',; \t\n\v\f\r', separator],
  ['/(', noSpaceBefore],
] as const) {
  for (const character of characters) roleOf[character.charCodeAt(0)] = role;
}

/**
 * The text as a shell reads it: without quotes, carets and backslashes, separators as one space, none before `/` and
 * `(`.
 */
const cmdLine: Transformation = {
  name: 'cmdline',
  touches:
    byteKinds.backslash |
    byteKinds.quote |
    byteKinds.caret |
    byteKinds.separator |
    byteKinds.space |
    byteKinds.upper,
  apply: (value) => changeBytes(value, normalizeCommand),
};

function normalizeCommand(bytes: Uint8Array, length: number): number {
  let end = 0;
  let isSpaced = false;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!;
    const role = roleOf[byte]!;
    if (role === dropped) continue;
    if (role === separator) {
      isSpaced = true;
      continue;
    }
    if (isSpaced && role !== noSpaceBefore) bytes[end++] = 0x20;
    isSpaced = false;
    bytes[end++] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
  }
  if (isSpaced) bytes[end++] = 0x20;
  return end;
}

export const normalising: readonly Transformation[] = [
  cmdLine,
  lowercase,
  normalizePath,
  normalizePathWin,
  uppercase,
];

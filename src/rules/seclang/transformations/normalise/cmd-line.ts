import { changeBytes } from '#base';
import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

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
export const cmdLine: Transformation = {
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

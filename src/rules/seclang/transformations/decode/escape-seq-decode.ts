import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { readHexByte } from './hex.ts';

const letters: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  "'": "'",
  '"': '"',
};

/** C escapes. Invalid ones keep their backslash. */
export const escapeSeqDecode: Transformation = {
  name: 'escapeseqdecode',
  touches: byteKinds.backslash,
  apply: (value) =>
    value.replaceAll(
      /\\(?:x([0-9A-Fa-f]{2})|([0-7]{1,3})|([^]))/g,
      (whole, hex: string | undefined, octal: string | undefined, other: string) => {
        if (hex !== undefined) return String.fromCharCode(readHexByte(hex, 0));
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
        return letters[other] ?? whole;
      },
    ),
};

import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { foldCode, readHexByte } from './hex.ts';

const letters: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Escapes of JavaScript strings. A backslash before anything else disappears. */
export const jsDecode: Transformation = {
  name: 'jsdecode',
  touches: byteKinds.backslash,
  apply: (value) =>
    value.replaceAll(
      /\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([0-3][0-7]{0,2}|[4-7][0-7]?)|([^]))/g,
      (_, code: string | undefined, hex: string | undefined, octal: string | undefined, other: string) => {
        if (code !== undefined)
          return String.fromCharCode(foldCode(readHexByte(code, 0), readHexByte(code, 2)));
        if (hex !== undefined) return String.fromCharCode(readHexByte(hex, 0));
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
        return letters[other] ?? other;
      },
    ),
};

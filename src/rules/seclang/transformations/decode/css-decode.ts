import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { foldCode } from './hex.ts';

/** Escapes of style sheets: up to six digits and one following space. An escaped line end disappears. */
export const cssDecode: Transformation = {
  name: 'cssdecode',
  touches: byteKinds.backslash,
  apply: (value) =>
    value.replaceAll(
      /\\(?:([0-9A-Fa-f]{1,6})[ \t\n\v\f\r]?|(\n)|([^])|$)/g,
      (_, digits: string | undefined, lineEnd: string | undefined, other: string | undefined) => {
        if (digits === undefined) return lineEnd === undefined ? (other ?? '') : '';
        const code = Number.parseInt(digits, 16);
        const isFullWidth = digits.length >= 4 && (code >> 8) % 0x100 === 0xff && code <= 0xffff;
        return String.fromCharCode(isFullWidth ? foldCode(0xff, code & 0xff) : code & 0xff);
      },
    ),
};

import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

const named: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', nbsp: '\u00a0' };

/**
 * Numbers and the five names that matter for markup, with or without a semicolon. Larger numbers become their low byte.
 */
export const htmlEntityDecode: Transformation = {
  name: 'htmlentitydecode',
  touches: byteKinds.ampersand,
  apply: (value) =>
    value.replaceAll(
      /&(?:#[xX]([0-9A-Fa-f]+)|#([0-9]+)|(quot|amp|lt|gt|nbsp)(?![0-9A-Za-z]));?/gi,
      (_, hex: string | undefined, decimal: string | undefined, name: string) => {
        if (hex !== undefined) return lowByte(Number.parseInt(hex.slice(-8), 16));
        if (decimal !== undefined) return lowByte(Number.parseInt(decimal.slice(-9), 10));
        return named[name.toLowerCase()]!;
      },
    ),
};

function lowByte(code: number): string {
  return String.fromCharCode(code & 0xff);
}

/**
 * The kinds of characters in a text, as bits: one pass that determines which detectors have anything to look for.
 * Ordinary words and numbers have none.
 */
import { byteAt } from '#text';

export const has = {
  quote: 1 << 0,
  less: 1 << 1,
  parenthesis: 1 << 2,
  /** Separates commands of a shell. */
  separator: 1 << 3,
  dollar: 1 << 4,
  slash: 1 << 5,
  brace: 1 << 6,
  /** Compares or calculates. */
  operator: 1 << 7,
  dash: 1 << 8,
  /** Starts an escape of some encoding. */
  escape: 1 << 9,
  colon: 1 << 10,
  space: 1 << 11,
  high: 1 << 12,
  bracket: 1 << 13,
  at: 1 << 14,
  dot: 1 << 15,
  control: 1 << 16,
} as const;

const characters: readonly (readonly [bits: number, characters: string])[] = [
  [has.quote, '\'"`'],
  [has.less, '<'],
  [has.parenthesis, '()'],
  [has.separator, ';|&\n\r`'],
  [has.dollar, '$'],
  [has.slash, '/\\'],
  [has.brace, '{}'],
  [has.operator, '=<>!*#|&^+,'],
  [has.dash, '-'],
  [has.escape, '%\\&'],
  [has.colon, ':'],
  [has.space, ' \t\n\r\v\f\u00a0'],
  [has.bracket, '[]'],
  [has.at, '@'],
  [has.dot, '.'],
];

const table = new Uint32Array(256);
for (const [bits, each] of characters) {
  for (let index = 0; index < each.length; index++) table[each.charCodeAt(index)]! |= bits;
}
for (let code = 0; code < 0x20; code++)
  if (!'\t\n\r\v\f'.includes(String.fromCharCode(code))) table[code]! |= has.control;
for (let code = 0x80; code < 0x100; code++) table[code]! |= has.high;

/** The bits of all characters of a binary string. */
export function classify(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index++) bits |= table[byteAt(text, index) & 0xff]!;
  return bits;
}

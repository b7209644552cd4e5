/**
 * The kinds of bytes in a value, as a mask. A transformation declares the kinds that it can change: most values are
 * letters and digits, and stay unchanged.
 */
import { bitsOfBytes } from '#text';

export const byteKinds = {
  nul: 1 << 0,
  percent: 1 << 1,
  plus: 1 << 2,
  ampersand: 1 << 3,
  backslash: 1 << 4,
  upper: 1 << 5,
  space: 1 << 6,
  high: 1 << 7,
  slash: 1 << 8,
  dot: 1 << 9,
  star: 1 << 10,
  quote: 1 << 11,
  separator: 1 << 12,
  hash: 1 << 13,
  dash: 1 << 14,
  lower: 1 << 15,
  less: 1 << 16,
  caret: 1 << 17,
  digit: 1 << 18,
} as const;

/** The mask of a transformation that acts on every value. */
export const anyByte = -1;

/** Every value has it, so that `anyByte` also applies to values without other kinds. */
const always = 1 << 19;

const kindOf = new Int32Array(256);

function assign(characters: string, kind: number): void {
  for (const character of characters) kindOf[character.charCodeAt(0)]! |= kind;
}

assign('\0', byteKinds.nul);
assign('%', byteKinds.percent);
assign('+', byteKinds.plus);
assign('&', byteKinds.ampersand);
assign('\\', byteKinds.backslash);
assign('ABCDEFGHIJKLMNOPQRSTUVWXYZ', byteKinds.upper);
assign('abcdefghijklmnopqrstuvwxyz', byteKinds.lower);
assign(' \t\n\v\f\r\u00a0', byteKinds.space);
assign('/', byteKinds.slash);
assign('.', byteKinds.dot);
assign('*', byteKinds.star);
assign('\'"', byteKinds.quote);
assign(',;', byteKinds.separator);
assign('#', byteKinds.hash);
assign('-', byteKinds.dash);
assign('<', byteKinds.less);
assign('^', byteKinds.caret);
assign('0123456789', byteKinds.digit);
for (let byte = 0x80; byte < 0x100; byte++) kindOf[byte]! |= byteKinds.high;

export function findByteKinds(value: string): number {
  return always | bitsOfBytes(value, kindOf);
}

import { readBytes } from '#text';
import { wordBytes } from '../syntax/byte-set.ts';
import type { WordAssertion } from '../syntax/tree.ts';
import { unicodePerlClass } from '../syntax/unicode-set.ts';

/** The kinds of neighbours of a position. Bytes that are not a character are neither a word nor its opposite. */
const side = { noCharacter: 0, other: 1, word: 2 } as const;
type Side = (typeof side)[keyof typeof side];

/**
 * Evaluates assertions about words of characters for every position of a value in advance, in one pass: the bytes next
 * to a position do not determine the character that they belong to.
 */
export class WordBits {
  readonly steps = 0;
  /**
   * Indexed by the kind before the position, times four, plus the kind after it: bit `i` for the assertion with index
   * `i`.
   */
  readonly #bits = new Uint8Array(16);

  private constructor(assertions: readonly WordAssertion[]) {
    for (const behind of Object.values(side)) {
      for (const ahead of Object.values(side)) {
        for (const [index, assertion] of assertions.entries()) {
          if (holdsBetweenSides(assertion, behind, ahead)) this.#bits[behind * 4 + ahead]! |= 1 << index;
        }
      }
    }
  }

  static for(assertions: readonly WordAssertion[]): WordBits | undefined {
    return assertions.length === 0 ? undefined : new WordBits(assertions);
  }

  /** For each position, including the end, the assertions that hold there: bit `i` for the one with index `i`. */
  bitsOf(value: string): Uint8Array {
    const { length } = value;
    const bytes = readBytes(value);
    const words = unicodePerlClass('w');
    const bits = new Uint8Array(length + 1);
    // Both ends of the value count as a character that does not belong to a word.
    bits[0] = side.other * 4;
    for (let i = 0; i < length;) {
      const codePoint = codePointAt(bytes, i, length);
      if (codePoint === -1) {
        i++;
        continue;
      }
      const isWord = codePoint < 0x80 ? wordBytes.has(codePoint) : words.has(codePoint);
      const here = isWord ? side.word : side.other;
      bits[i]! |= here;
      i += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      bits[i] = here * 4;
    }
    bits[length]! |= side.other;
    for (let i = 0; i <= length; i++) bits[i] = this.#bits[bits[i]!]!;
    return bits;
  }
}

function holdsBetweenSides(assertion: WordAssertion, behind: Side, ahead: Side): boolean {
  const [isWordBehind, isWordAhead] = [behind === side.word, ahead === side.word];
  switch (assertion) {
    case 'word':
      return isWordBehind !== isWordAhead;
    case 'not-word':
      return behind === ahead && behind !== side.noCharacter;
    case 'word-start':
      return !isWordBehind && isWordAhead;
    case 'word-end':
      return isWordBehind && !isWordAhead;
    case 'word-start-half':
      return behind === side.other;
    default:
      return ahead === side.other;
  }
}

/** The character whose UTF-8 form starts at a position, -1 if there is none. */
function codePointAt(bytes: Uint8Array, start: number, length: number): number {
  const first = bytes[start]!;
  if (first < 0x80) return first;
  if (first < 0xc2 || first > 0xf4) return -1;
  const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (start + size > length) return -1;
  let codePoint = first & (0x7f >> size);
  for (let i = start + 1; i < start + size; i++) {
    if ((bytes[i]! & 0xc0) !== 0x80) return -1;
    codePoint = (codePoint << 6) | (bytes[i]! & 0x3f);
  }
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  const isOverlong = (size === 3 && codePoint < 0x800) || (size === 4 && codePoint < 0x10000);
  return isSurrogate || isOverlong || codePoint > 0x10ffff ? -1 : codePoint;
}

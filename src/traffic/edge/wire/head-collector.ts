/**
 * Collects a head from the chunks it arrives in. Nearly always that is one chunk, which is not copied. Otherwise the
 * bytes go into a buffer that doubles up to the limit, and each byte is examined once, so a head that arrives byte by
 * byte costs no more than its length. A line feed without its carriage return is refused at once, not only when the
 * time for the head is over.
 */
import { assert } from '#base';

export type CollectedHead =
  | 'incomplete'
  | 'bare-line-feed'
  | 'too-large'
  /** `text` is without the final CR LF CR LF; `restOffset` is an offset in the last chunk. */
  | { readonly text: string; readonly restOffset: number };

const terminator = Buffer.from('\r\n\r\n');
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const bytesAtFirst = 1_024;

export class HeadCollector {
  readonly #bytesMax: number;
  #held: Buffer | undefined;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The length of an unfinished head. */
  get length(): number {
    return this.#length;
  }

  push(piece: Buffer): CollectedHead {
    if (this.#length === 0) {
      const end = piece.indexOf(terminator);
      if (end !== -1) {
        if (end + terminator.length > this.#bytesMax) return 'too-large';
        return { text: piece.toString('latin1', 0, end), restOffset: end + terminator.length };
      }
    }
    return this.#append(piece);
  }

  #append(piece: Buffer): CollectedHead {
    const before = this.#length;
    const taken = Math.min(piece.length, this.#bytesMax - before);
    const held = this.#reserve(before + taken);
    piece.copy(held, before, 0, taken);
    this.#length = before + taken;
    const all = held.subarray(0, this.#length);
    const end = all.indexOf(terminator, Math.max(0, before - terminator.length + 1));
    if (end !== -1) {
      const text = all.toString('latin1', 0, end);
      this.#held = undefined;
      this.#length = 0;
      const restOffset = end + terminator.length - before;
      assert(restOffset > 0, 'a head ends in the piece that completes it');
      return { text, restOffset };
    }
    if (hasBareLineFeed(all, before)) return 'bare-line-feed';
    return this.#length === this.#bytesMax ? 'too-large' : 'incomplete';
  }

  #reserve(length: number): Buffer {
    if (this.#held !== undefined && this.#held.length >= length) return this.#held;
    let capacity = this.#held?.length ?? bytesAtFirst;
    while (capacity < length) capacity *= 2;
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#held?.copy(larger, 0, 0, this.#length);
    this.#held = larger;
    return larger;
  }
}

function hasBareLineFeed(bytes: Buffer, from: number): boolean {
  for (let at = bytes.indexOf(lineFeed, from); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
    if (at === 0 || bytes[at - 1] !== carriageReturn) return true;
  }
  return false;
}

/** A set of bytes, the only kind of character in the engines. Not changed any more once it is part of a tree. */
export class ByteSet {
  readonly #words: Uint32Array;

  constructor(words: Uint32Array = new Uint32Array(8)) {
    this.#words = words;
  }

  static of(...bytes: number[]): ByteSet {
    const set = new ByteSet();
    for (const byte of bytes) set.add(byte);
    return set;
  }

  /** From pairs: `ByteSet.ranges('az', '09')`. */
  static ranges(...pairs: string[]): ByteSet {
    const set = new ByteSet();
    for (const pair of pairs) set.addRange(pair.charCodeAt(0), pair.charCodeAt(1));
    return set;
  }

  has(byte: number): boolean {
    return ((this.#words[byte >>> 5]! >>> (byte & 31)) & 1) === 1;
  }

  add(byte: number): void {
    this.#words[byte >>> 5]! |= 1 << (byte & 31);
  }

  addRange(first: number, last: number): void {
    for (let byte = first; byte <= last; byte++) this.add(byte);
  }

  addAll(other: ByteSet): void {
    for (let i = 0; i < 8; i++) this.#words[i]! |= other.#words[i]!;
  }

  #combine(other: ByteSet, combineWords: (mine: number, others: number) => number): ByteSet {
    return new ByteSet(this.#words.map((word, i) => combineWords(word, other.#words[i]!)));
  }

  union(other: ByteSet): ByteSet {
    return this.#combine(other, (a, b) => a | b);
  }

  intersection(other: ByteSet): ByteSet {
    return this.#combine(other, (a, b) => a & b);
  }

  difference(other: ByteSet): ByteSet {
    return this.#combine(other, (a, b) => a & ~b);
  }

  symmetricDifference(other: ByteSet): ByteSet {
    return this.#combine(other, (a, b) => a ^ b);
  }

  negated(): ByteSet {
    return new ByteSet(this.#words.map((word) => ~word));
  }

  /** With both cases of each of its ASCII letters: bytes beyond ASCII have no case. */
  foldedCase(): ByteSet {
    const folded = new ByteSet(this.#words.slice());
    // Letters are bits 1 to 26 of words 2 (upper case) and 3 (lower case).
    const letters = (this.#words[2]! | this.#words[3]!) & 0x07fffffe;
    folded.#words[2]! |= letters;
    folded.#words[3]! |= letters;
    return folded;
  }

  intersects(other: ByteSet): boolean {
    for (let i = 0; i < 8; i++) if ((this.#words[i]! & other.#words[i]!) !== 0) return true;
    return false;
  }

  bytes(): number[] {
    const bytes: number[] = [];
    for (let i = 0; i < 8; i++) {
      // Removes the lowest bit until none is left.
      for (let word = this.#words[i]!; word !== 0; word &= word - 1) {
        bytes.push(i * 32 + 31 - Math.clz32(word & -word));
      }
    }
    return bytes;
  }

  /** Equal sets have equal keys. */
  get key(): string {
    return this.#words.join();
  }
}

export const anyByte = new ByteSet().negated();
export const lineFeed = ByteSet.of(0x0a);
export const digits = ByteSet.ranges('09');
export const space = ByteSet.ranges('\t\r', '  ');
export const wordBytes = ByteSet.ranges('09', 'AZ', 'az', '__');

/** The classes with the notation `[:name:]`, the same in both dialects. */
export const posixClasses: ReadonlyMap<string, ByteSet> = new Map([
  ['alnum', ByteSet.ranges('09', 'AZ', 'az')],
  ['alpha', ByteSet.ranges('AZ', 'az')],
  ['ascii', ByteSet.ranges('\0\x7f')],
  ['blank', ByteSet.ranges('\t\t', '  ')],
  ['cntrl', ByteSet.ranges('\0\x1f', '\x7f\x7f')],
  ['digit', digits],
  ['graph', ByteSet.ranges('!~')],
  ['lower', ByteSet.ranges('az')],
  ['print', ByteSet.ranges(' ~')],
  ['punct', ByteSet.ranges('!/', ':@', '[`', '{~')],
  ['space', space],
  ['upper', ByteSet.ranges('AZ')],
  ['word', wordBytes],
  ['xdigit', ByteSet.ranges('09', 'AF', 'af')],
]);

/**
 * Blocks of addresses, as networks have them: all addresses with the same first bits. Two blocks are disjoint or one
 * contains the other, so every address has one innermost block, and all other blocks that contain it are found from
 * there outwards. So the size of the table is proportional to the number of blocks, however they nest.
 */
import { compareIp, Ip } from '#addresses';

export interface IpBlock {
  readonly first: Ip;
  readonly last: Ip;
  readonly prefixLength: number;
}

/** One or two blocks that together contain at least all addresses from `first` to `last`. */
export function findBlocksAround(first: Ip, last: Ip): IpBlock[] {
  const shared = countSharedBits(first, last);
  const whole = createBlock(first, shared);
  if (compareIp(whole.first, first) === 0 && compareIp(whole.last, last) === 0) return [whole];
  // The halves of the block, each reduced to the part that the range needs.
  const lower = createBlock(first, shared + 1);
  const upper = createBlock(last, shared + 1);
  return [
    createBlock(first, countSharedBits(first, lower.last)),
    createBlock(last, countSharedBits(upper.first, last)),
  ];
}

const listWords = (ip: Ip): number[] => (ip.family === 4 ? [ip.w0] : [ip.w0, ip.w1, ip.w2, ip.w3]);

function countSharedBits(a: Ip, b: Ip): number {
  const wordsB = listWords(b);
  let bits = 0;
  for (const [index, word] of listWords(a).entries()) {
    const same = Math.clz32(word ^ wordsB[index]!);
    bits += same;
    if (same < 32) break;
  }
  return bits;
}

function createBlock(ip: Ip, prefixLength: number): IpBlock {
  const masks = listWords(ip).map((_, index) => {
    const bits = Math.min(32, Math.max(0, prefixLength - index * 32));
    return bits === 0 ? 0 : (-1 << (32 - bits)) >>> 0;
  });
  const words = listWords(ip);
  const first = words.map((word, index) => (word & masks[index]!) >>> 0);
  const last = words.map((word, index) => (word | ~masks[index]!) >>> 0);
  const make = ([w0, w1, w2, w3]: number[]): Ip => new Ip(ip.family, w0!, w1, w2, w3);
  return { first: make(first), last: make(last), prefixLength };
}

/** Finds the entries that contain an address: each is a block with numbers. */
export class IpBlockTable {
  /** The starts of intervals without block boundaries, and the innermost block of each, -1 for none. */
  readonly #starts4: Uint32Array;
  readonly #starts6: readonly Ip[];
  readonly #innermost: Readonly<Record<4 | 6, Int32Array>>;
  readonly #outer: Int32Array;
  readonly #numbers: readonly (readonly number[])[];

  constructor(entries: readonly { readonly block: IpBlock; readonly number: number }[]) {
    const blocks: IpBlock[] = [];
    const numbers: number[][] = [];
    // Outer blocks come before inner ones.
    for (const { block, number } of entries.toSorted((a, b) => comparePositions(a.block, b.block))) {
      const previous = blocks.at(-1);
      if (previous !== undefined && comparePositions(previous, block) === 0) numbers.at(-1)!.push(number);
      else {
        blocks.push(block);
        numbers.push([number]);
      }
    }
    this.#numbers = numbers;
    this.#outer = new Int32Array(blocks.length).fill(-1);
    const stretches = { 4: findStretches(blocks, 4, this.#outer), 6: findStretches(blocks, 6, this.#outer) };
    this.#starts4 = Uint32Array.from(stretches[4], ({ start }) => start.w0);
    this.#starts6 = stretches[6].map(({ start }) => start);
    this.#innermost = {
      4: Int32Array.from(stretches[4], ({ innermost }) => innermost),
      6: Int32Array.from(stretches[6], ({ innermost }) => innermost),
    };
  }

  /** Calls `onNumbers` with the numbers of each block that contains the address. */
  forEach(ip: Ip, onNumbers: (numbers: readonly number[]) => void): void {
    const stretch = ip.family === 4 ? this.#findStretch4(ip.w0) : this.#findStretch6(ip);
    if (stretch < 0) return;
    for (let block = this.#innermost[ip.family][stretch]!; block >= 0; block = this.#outer[block]!) {
      onNumbers(this.#numbers[block]!);
    }
  }

  #findStretch4(address: number): number {
    const starts = this.#starts4;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #findStretch6(address: Ip): number {
    let low = 0;
    let high = this.#starts6.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareIp(this.#starts6[middle]!, address) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function comparePositions(a: IpBlock, b: IpBlock): number {
  return a.first.family - b.first.family || compareIp(a.first, b.first) || a.prefixLength - b.prefixLength;
}

/**
 * Iterates over the boundaries of one family and records each change of the innermost block; fills in the outer ones.
 */
function findStretches(
  blocks: readonly IpBlock[],
  family: 4 | 6,
  outer: Int32Array,
): { start: Ip; innermost: number }[] {
  const stretches: { start: Ip; innermost: number }[] = [];
  const open: number[] = [];
  const note = (start: Ip, innermost: number): void => {
    const previous = stretches.at(-1);
    if (previous !== undefined && compareIp(previous.start, start) === 0) previous.innermost = innermost;
    else stretches.push({ start, innermost });
  };
  const closeBefore = (next: Ip | undefined): void => {
    for (;;) {
      const last = open.length === 0 ? undefined : blocks[open.at(-1)!]!.last;
      if (last === undefined || (next !== undefined && compareIp(last, next) >= 0)) return;
      open.pop();
      const after = findAddressAfter(last);
      if (after !== undefined) note(after, open.at(-1) ?? -1);
    }
  };
  for (const [index, block] of blocks.entries()) {
    if (block.first.family !== family) continue;
    closeBefore(block.first);
    outer[index] = open.at(-1) ?? -1;
    open.push(index);
    note(block.first, index);
  }
  closeBefore(undefined);
  return stretches;
}

function findAddressAfter(ip: Ip): Ip | undefined {
  const words = listWords(ip);
  for (let index = words.length - 1; index >= 0; index--) {
    if (words[index] !== 0xffff_ffff) {
      words[index]! += 1;
      return new Ip(ip.family, words[0]!, words[1], words[2], words[3]);
    }
    words[index] = 0;
  }
  return undefined;
}

/** A set of address ranges: sorted, merged, found by binary search. */
import { compareIp, Ip } from './ip.ts';

interface Range {
  readonly first: Ip;
  readonly last: Ip;
}

export class IpSet {
  /** The IPv4 ranges as numbers: range i reaches from `firsts[i]` to `lasts[i]`. */
  readonly #firsts: Uint32Array;
  readonly #lasts: Uint32Array;
  readonly #ranges6: readonly Range[];

  constructor(ranges: readonly Range[]) {
    const ranges4 = mergeRanges(ranges.filter(({ first }) => first.family === 4));
    this.#firsts = Uint32Array.from(ranges4, ({ first }) => first.w0);
    this.#lasts = Uint32Array.from(ranges4, ({ last }) => last.w0);
    this.#ranges6 = mergeRanges(ranges.filter(({ first }) => first.family === 6));
  }

  has(value: unknown): boolean {
    return value instanceof Ip && this.hasIp(value);
  }

  hasIp(ip: Ip): boolean {
    return ip.family === 4 ? this.#has4(ip.w0) : this.#has6(ip);
  }

  #has4(address: number): boolean {
    const firsts = this.#firsts;
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firsts[middle]! <= address) low = middle + 1;
      else high = middle;
    }
    return low > 0 && address <= this.#lasts[low - 1]!;
  }

  #has6(address: Ip): boolean {
    let low = 0;
    let high = this.#ranges6.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareIp(this.#ranges6[middle]!.first, address) <= 0) low = middle + 1;
      else high = middle;
    }
    return low > 0 && compareIp(address, this.#ranges6[low - 1]!.last) <= 0;
  }
}

/** Sorts the ranges and merges those that overlap. */
function mergeRanges(ranges: readonly Range[]): Range[] {
  const result: { first: Ip; last: Ip }[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => compareIp(a.first, b.first))) {
    const previous = result.at(-1);
    if (previous === undefined || compareIp(previous.last, first) < 0) result.push({ first, last });
    else if (compareIp(previous.last, last) < 0) previous.last = last;
  }
  return result;
}

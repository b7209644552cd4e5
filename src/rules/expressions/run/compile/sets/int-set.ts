/** A set of number ranges: sorted, merged, found by binary search. */
export class IntSet {
  readonly #firsts: Float64Array;
  readonly #lasts: Float64Array;

  constructor(ranges: readonly { readonly first: number; readonly last: number }[]) {
    const result: { first: number; last: number }[] = [];
    for (const { first, last } of ranges.toSorted((a, b) => a.first - b.first)) {
      const previous = result.at(-1);
      if (previous === undefined || previous.last < first) result.push({ first, last });
      else previous.last = Math.max(previous.last, last);
    }
    this.#firsts = Float64Array.from(result, ({ first }) => first);
    this.#lasts = Float64Array.from(result, ({ last }) => last);
  }

  has(value: number): boolean {
    const firsts = this.#firsts;
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firsts[middle]! <= value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && value <= this.#lasts[low - 1]!;
  }
}

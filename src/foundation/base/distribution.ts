/** Counts of values by size, for a histogram. */
export class Distribution {
  /** Upper bounds, in increasing order; each is part of its bucket. */
  readonly bounds: readonly number[];
  /** One more than there are bounds: the last counts the values above all bounds. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds } = this;
    let at = 0;
    while (at < bounds.length && value > bounds[at]!) at++;
    this.counts[at]!++;
    this.sum += value;
  }
}

const bucketsPerDoubling = 16;
const leastSeconds = 1e-5;
const buckets = 32 * bucketsPerDoubling;

/** The durations of any number of calls, accurate to about 4 %. */
export class Latencies {
  readonly #counts = new Uint32Array(buckets);
  count = 0;
  max = 0;

  add(seconds: number): void {
    const doublings = Math.log2(Math.max(seconds, leastSeconds) / leastSeconds);
    this.#counts[Math.min(buckets - 1, Math.floor(doublings * bucketsPerDoubling))]!++;
    this.count++;
    if (seconds > this.max) this.max = seconds;
  }

  /** The time that this share of the calls did not exceed. */
  quantile(share: number): number {
    let left = share * this.count;
    for (const [bucket, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return leastSeconds * 2 ** ((bucket + 1) / bucketsPerDoubling);
    }
    return this.max;
  }
}

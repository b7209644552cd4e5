/**
 * Suggests a rate limit from the activity log: the rates of visitors whose requests a rule logged, and the visitors
 * that a limit would have stopped. Visitors are distinguished by address, and counted in windows of the period.
 */
export interface Suggestion {
  readonly visitors: number;
  readonly requests: number;
  /** The rate that 99.9 % of the visitors never exceed. */
  readonly suggestedLimit: number;
  /** The highest count of a visitor in a window. */
  readonly peak: number;
  readonly stoppedVisitors: number;
  readonly stoppedRequests: number;
  /** The visitors that the limit would have stopped, fullest first. */
  readonly stopped: readonly { readonly address: string; readonly peak: number; readonly requests: number }[];
}

/** The requests of an address in a window. */
interface Group {
  readonly count: number;
  /** The window and the address. */
  readonly values: readonly (string | number)[];
}

const quantile = 0.999;
const shownMax = 20;

/** `groups` are counts by window and address; `limit` replaces the suggested limit. */
export function suggestLimit(groups: readonly Group[], limit?: number): Suggestion {
  const windows = new Map<string, number[]>();
  let requests = 0;
  for (const { count, values } of groups) {
    const address = String(values[1]);
    requests += count;
    const known = windows.get(address);
    if (known === undefined) windows.set(address, [count]);
    else known.push(count);
  }
  const visitors = Array.from(windows, ([address, counts]) => ({
    address,
    counts,
    peak: Math.max(...counts),
  }));
  const peaks = visitors.map(({ peak }) => peak).toSorted((one, other) => one - other);
  const suggestedLimit = peaks[Math.max(0, Math.ceil(peaks.length * quantile) - 1)] ?? 0;
  const tried = limit ?? suggestedLimit;
  const stopped = visitors
    .filter(({ peak }) => peak > tried)
    .map(({ address, counts, peak }) => ({
      address,
      peak,
      requests: counts.reduce((sum, count) => sum + Math.max(0, count - tried), 0),
    }))
    .toSorted((one, other) => other.peak - one.peak);
  return {
    visitors: visitors.length,
    requests,
    suggestedLimit,
    peak: peaks.at(-1) ?? 0,
    stoppedVisitors: stopped.length,
    stoppedRequests: stopped.reduce((sum, each) => sum + each.requests, 0),
    stopped: stopped.slice(0, shownMax),
  };
}

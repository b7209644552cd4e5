/** Counts over time, for charts. */

/** The counted series, from top to bottom of a stacked bar. The colour is the name of a custom property. */
export interface Series {
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

interface Stretch {
  readonly startMs: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface Timeline {
  readonly series: readonly Series[];
  /** The noun for one counted item, and for several. */
  readonly noun: readonly [one: string, many: string];
  readonly stretchMs: number;
  /** Includes empty intervals. */
  readonly stretches: readonly Stretch[];
  readonly totals: Readonly<Record<string, number>>;
  readonly total: number;
  readonly isComplete: boolean;
  /** The preceding period of the same length; its counts are sums over all series, by interval. */
  readonly before?: { readonly total: number; readonly counts: readonly number[] };
}

export const sinceDefault = '24h';

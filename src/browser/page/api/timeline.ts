/** Counts over time, as charts show them. */

/** What is counted, from the top of a stacked bar to its foot. The colour is the name of a custom property. */
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
  /** What one of the counted things is called, and several. */
  readonly noun: readonly [one: string, many: string];
  readonly stretchMs: number;
  /** Those without anything are there as well. */
  readonly stretches: readonly Stretch[];
  readonly totals: Readonly<Record<string, number>>;
  readonly total: number;
  readonly isComplete: boolean;
  /** The period before, as long as this one; its counts are those of all series together, stretch by stretch. */
  readonly before?: { readonly total: number; readonly counts: readonly number[] };
}

export const sinceDefault = '24h';

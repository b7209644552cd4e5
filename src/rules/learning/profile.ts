/** The learned values of a zone that an edge uses: those with enough data. Plain data. */
import type { LearnedPlace } from './listed-values.ts';

/** `watching`: events report what acting would have done. */
export const learningModes = ['off', 'watching', 'acting'] as const;
export type LearningMode = (typeof learningModes)[number];

export interface LearnedProfile {
  /** Identifies the current learned data; changes when the data was reset. */
  readonly seed: string;
  /** Paths below which segments are names of items. */
  readonly wide: readonly string[];
  readonly values: readonly LearnedValue[];
}

export interface LearnedValue {
  readonly path: string;
  readonly place: LearnedPlace;
  readonly name: string;
  readonly requests: number;
  /** Approximate number. */
  readonly networks: number;
  readonly sinceMs: number;
  /** Signs that many networks send, and those that at most one network of the sample has sent; others are neither. */
  readonly usualSigns: number;
  readonly rareSigns: number;
  /** The same for kinds, as bits of a form. */
  readonly usualKinds: number;
  readonly rareKinds: number;
  /** The index in the list of lengths: longer values come from at most one network of the sample. */
  readonly longest: number;
}

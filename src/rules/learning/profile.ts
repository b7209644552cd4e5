/** What an edge judges by: what is known well enough of the values of a zone. Plain data. */
import type { LearnedPlace } from './listed-values.ts';

/** `watching`: events say what acting would have done. */
export const learningModes = ['off', 'watching', 'acting'] as const;
export type LearningMode = (typeof learningModes)[number];

export interface LearnedProfile {
  /** Of what is learned now; another one after it was forgotten. */
  readonly seed: string;
  /** Paths below which segments are names of things. */
  readonly wide: readonly string[];
  readonly values: readonly LearnedValue[];
}

export interface LearnedValue {
  readonly path: string;
  readonly place: LearnedPlace;
  readonly name: string;
  readonly requests: number;
  /** About how many. */
  readonly networks: number;
  readonly sinceMs: number;
  /** Signs that many send, and those that at most one network of the sample has sent; others are neither. */
  readonly usualSigns: number;
  readonly rareSigns: number;
  /** The same of kinds, in bits of a form. */
  readonly usualKinds: number;
  readonly rareKinds: number;
  /** The place in the list of lengths: longer ones come from at most one network of the sample. */
  readonly longest: number;
}

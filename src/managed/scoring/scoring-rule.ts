/**
 * Rules that add to a score instead of acting. Each alone may be wrong about a request, so only several of them together
 * reach a threshold: 60 (low), 40 (medium) or 25 (high). Two critical findings make 40.
 */
import type { ScoreGroupName } from '../rule-groups.ts';

export interface ScoringRule {
  /** Begins the description, as operators know the rules of the core rule set by their numbers. */
  readonly number: string;
  readonly description: string;
  /** 1 suits every site; each level finds more, and more that is harmless. */
  readonly paranoiaLevel: 1 | 2 | 3 | 4;
  readonly severity: keyof typeof scores;
  readonly categories: readonly string[];
  readonly expression: string;
  /** Its place in the previous product, which knew no levels: rules above the second have none. */
  readonly previous?: { readonly id: string; readonly group: ScoreGroupName };
}

export const scores = { critical: 20, error: 15, warning: 10, notice: 5 } as const;

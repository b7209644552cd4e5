/**
 * Rules that add to a score instead of acting. Each one alone may be wrong about a request, so only several of them together
 * reach a threshold: 60 (low), 40 (medium) or 25 (high). Two critical findings add up to 40.
 */
import type { ScoreGroupName } from '../rule-groups.ts';

export interface ScoringRule {
  /** The start of the description: operators know the rules of the core rule set by these numbers. */
  readonly number: string;
  readonly description: string;
  /** 1 suits every site; each level finds more attacks, and more false positives. */
  readonly paranoiaLevel: 1 | 2 | 3 | 4;
  readonly severity: keyof typeof scores;
  readonly categories: readonly string[];
  readonly expression: string;
  /** The rule in the legacy WAF, which has no levels: rules above the second level have none. */
  readonly legacy?: { readonly id: string; readonly group: ScoreGroupName };
}

export const scores = { critical: 20, error: 15, warning: 10, notice: 5 } as const;

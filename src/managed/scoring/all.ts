import { attackScores } from './attacks.ts';
import { protocolScores } from './protocol.ts';
import type { ScoringRule } from './scoring-rule.ts';

export const scoringRules: readonly ScoringRule[] = [...protocolScores, ...attackScores];

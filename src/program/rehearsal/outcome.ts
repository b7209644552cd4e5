/** The outcome of a request, and its difference between two configurations. */
import type { ChallengeKind } from '#rulesets';
import type { Judgement, Score } from '#firewall';

export interface OutcomeRule {
  readonly id: string;
  readonly rulesetId: string;
  readonly source: string;
  readonly description: string;
}

/** A rule that added to a score. */
interface ScoredRule {
  readonly id: string;
  readonly description: string;
  readonly score: number;
}

export interface OutcomeScore extends Pick<Score, 'total' | 'threshold'> {
  readonly rules: readonly ScoredRule[];
}

export interface Outcome {
  readonly action: 'pass' | 'block' | ChallengeKind;
  /** The rule that stopped the request; absent if it passed. */
  readonly rule?: OutcomeRule;
  /** Present if a score decided. */
  readonly score?: OutcomeScore;
}

export const changeKinds = ['newlyStopped', 'noLongerStopped', 'otherAction'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** For reports in which a path or a rule is the subject. */
export const changeTitles: Readonly<Record<ChangeKind, string>> = {
  newlyStopped: 'newly stopped',
  noLongerStopped: 'no longer stopped',
  otherAction: 'stopped differently',
};

export function toOutcome({ verdict }: Judgement, findOriginalId: (id: string) => string): Outcome {
  // Neither a redirect nor a sign-in response stops a request, and only rules that decide are rehearsed.
  if (verdict.kind === 'pass' || verdict.kind === 'redirect' || verdict.kind === 'answer')
    return { action: 'pass' };
  const { ruleId, rulesetId, source, description, score } = verdict.by;
  return {
    action: verdict.kind === 'block' ? 'block' : verdict.challenge,
    rule: { id: findOriginalId(ruleId), rulesetId: findOriginalId(rulesetId), source, description },
    ...(score === undefined ? {} : { score: toOutcomeScore(score) }),
  };
}

function toOutcomeScore({ total, threshold, contributions }: Score): NonNullable<Outcome['score']> {
  const rules = contributions.map((each) => ({
    id: each.ruleId,
    description: each.description,
    score: each.score,
  }));
  return { total, threshold, rules };
}

/** Undefined if the outcome is the same. Another rule with the same effect is not a change. */
export function findChange(before: Outcome, after: Outcome): ChangeKind | undefined {
  if (before.action === after.action) return undefined;
  if (before.action === 'pass') return 'newlyStopped';
  return after.action === 'pass' ? 'noLongerStopped' : 'otherAction';
}

/** The rule that a change is counted under: the one that stops the request, before or afterwards. */
export function findDecidingRule(kind: ChangeKind, before: Outcome, after: Outcome): OutcomeRule {
  return (kind === 'noLongerStopped' ? before.rule : after.rule)!;
}

export function writeRuleKey({ source, rulesetId, id }: OutcomeRule): string {
  return `${source} ${rulesetId} ${id}`;
}

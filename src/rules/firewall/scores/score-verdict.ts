/**
 * The action for a score that reaches its threshold: that of the rule that compares it. A zone may choose that the
 * action is taken only if a detector is also sure of an attack in the request, and that the score is logged otherwise.
 * The detectors run for that only if the score reaches the threshold.
 */
import { attackKinds, sureMin } from '#detection';
import type { VerdictAction } from '#rulesets';
import { type EdgeSettings, unconfirmedScoresDefault } from '../configuration.ts';
import type { Triggered } from '../judgement.ts';
import { compileExpression } from '../request-predicate.ts';
import type { JudgingRun } from '../run.ts';

/** Whether a detector is sure of an attack in the request. */
const hasSureAttack = compileExpression(
  attackKinds.map((kind) => `gatehouse.attack.${kind} ge ${sureMin}`).join(' or '),
);

/** Appended to the description of the rule in events. */
export const unconfirmedNote =
  ' (only logged: no detector is sure of an attack, and unconfirmed_scores is log)';

export class ScoreVerdict {
  readonly #needsAttack: boolean;

  constructor({ unconfirmedScores = unconfirmedScoresDefault }: Pick<EdgeSettings, 'unconfirmedScores'>) {
    this.#needsAttack = unconfirmedScores === 'log';
  }

  /**
   * A score has reached its threshold. A watched rule only logs, whatever action is configured, and its event still
   * says whether it would have done more.
   */
  give(
    run: JudgingRun,
    { configured, isWatched }: { readonly configured: VerdictAction; readonly isWatched: boolean },
    rule: Omit<Triggered, 'action'>,
  ): void {
    const isUnconfirmed = configured !== 'log' && this.#needsAttack && !hasSureAttack(run.view);
    if (isUnconfirmed) run.act('log', { ...rule, description: `${rule.description}${unconfirmedNote}` });
    else run.act(isWatched ? 'log' : configured, rule);
  }
}

/**
 * What becomes of a score that reaches its threshold: the action of the rule that compares it. A zone may choose that the
 * action is taken only if a detector is sure of an attack in the request as well, and that the score is logged otherwise.
 * Only requests whose score reaches the threshold are read for that.
 */
import { attackKinds, sureMin } from '#detection';
import type { VerdictAction } from '../../actions.ts';
import { type EdgeSettings, unconfirmedScoresDefault } from '../configuration.ts';
import type { Triggered } from '../judgement.ts';
import { compileExpression } from '../request-predicate.ts';
import type { Run } from '../run.ts';

/** Whether a detector is sure of an attack in the request. */
const hasSureAttack = compileExpression(
  attackKinds.map((kind) => `gatehouse.attack.${kind} ge ${sureMin}`).join(' or '),
);

/** Events have it after the description of the rule. */
export const unconfirmedNote =
  ' (only logged: no detector is sure of an attack, and unconfirmed_scores is log)';

export class ScoreVerdict {
  readonly #needsAttack: boolean;

  constructor({ unconfirmedScores = unconfirmedScoresDefault }: Pick<EdgeSettings, 'unconfirmedScores'>) {
    this.#needsAttack = unconfirmedScores === 'log';
  }

  /**
   * A score has reached its threshold. A rule that is watched logs whatever it is configured to do, and its event still
   * says whether more than that would have happened.
   */
  give(
    run: Run,
    { configured, isWatched }: { readonly configured: VerdictAction; readonly isWatched: boolean },
    rule: Omit<Triggered, 'action'>,
  ): void {
    const isUnconfirmed = configured !== 'log' && this.#needsAttack && !hasSureAttack(run.view);
    if (isUnconfirmed) run.act('log', { ...rule, description: `${rule.description}${unconfirmedNote}` });
    else run.act(isWatched ? 'log' : configured, rule);
  }
}

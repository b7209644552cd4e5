/**
 * What becomes of a score that reaches its threshold: the action of the rule that compares it. A zone may choose that the
 * action is taken only if a detector is sure of an attack in the request as well, and that the score is logged otherwise.
 * Only requests whose score reaches the threshold are read for that.
 */
import { attackKinds, sureMin } from '#detection';
import type { VerdictAction } from '../actions.ts';
import { type EdgeSettings, unconfirmedScoresDefault } from './configuration.ts';
import type { Triggered } from './judgement.ts';
import { compileExpression } from './request-predicate.ts';
import type { Run } from './run.ts';

/** Whether a detector is sure of an attack in the request. */
const hasSureAttack = compileExpression(
  attackKinds.map((kind) => `gatehouse.attack.${kind} ge ${sureMin}`).join(' or '),
);

/** Events say it after the description of the rule. */
const unconfirmed = 'only logged: no detector is sure of an attack, and unconfirmed_scores is log';

export class ScoreVerdict {
  readonly #needsAttack: boolean;

  constructor({ unconfirmedScores = unconfirmedScoresDefault }: Pick<EdgeSettings, 'unconfirmedScores'>) {
    this.#needsAttack = unconfirmedScores === 'log';
  }

  /** A score has reached its threshold. */
  give(run: Run, action: VerdictAction, rule: Omit<Triggered, 'action'>): void {
    const isLogged = action !== 'log' && this.#needsAttack && !hasSureAttack(run.view);
    if (isLogged) run.act('log', { ...rule, description: `${rule.description} (${unconfirmed})` });
    else run.act(action, rule);
  }
}

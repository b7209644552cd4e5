/**
 * Rules that score say that a request is odd in several ways, which texts about code are as well. So a score stops a request
 * only if a detector is sure of an attack in it; otherwise it is logged. Only requests whose score reaches a threshold are
 * read for that.
 */
import { attackKinds, sureMin } from '#detection';
import type { VerdictAction } from '../actions.ts';
import type { EdgeSettings } from './configuration.ts';
import type { Triggered } from './judgement.ts';
import { compileExpression } from './request-predicate.ts';
import type { Run } from './run.ts';

const isAttack = compileExpression(
  attackKinds.map((kind) => `gatehouse.attack.${kind} ge ${sureMin}`).join(' or '),
);

/** What events say behind the description of the rule. */
const unconfirmed = 'logged, as no detector is sure of an attack';

export class ScoreVerdict {
  readonly #needsAttack: boolean;

  constructor({ unconfirmedScores = 'log' }: Pick<EdgeSettings, 'unconfirmedScores'>) {
    this.#needsAttack = unconfirmedScores === 'log';
  }

  /** A score has reached its threshold. */
  give(run: Run, action: VerdictAction, rule: Omit<Triggered, 'action'>): void {
    const isLogged = action !== 'log' && this.#needsAttack && !isAttack(run.view);
    if (isLogged) run.act('log', { ...rule, description: `${rule.description} (${unconfirmed})` });
    else run.act(action, rule);
  }
}

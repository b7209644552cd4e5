/** The context for checking the parameters of a rule that changes requests or responses. */
import type { RuleAction } from '../../actions.ts';
import type { Home } from '../../model.ts';
import type { RulesetContext } from '../context.ts';

export interface ChangeContext {
  readonly home: Home;
  readonly context: RulesetContext;
  readonly action: RuleAction;
  /** The expression of the rule; undefined if it is invalid. */
  readonly expression: string | undefined;
}

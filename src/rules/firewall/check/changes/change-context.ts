/** What the parameters of a rule are checked against that changes requests or answers. */
import type { RuleAction } from '../../actions.ts';
import type { Home } from '../../model.ts';
import type { RulesetContext } from '../context.ts';

export interface ChangeContext {
  readonly home: Home;
  readonly context: RulesetContext;
  readonly action: RuleAction;
  /** Of the rule; undefined if it cannot be read. */
  readonly expression: string | undefined;
}

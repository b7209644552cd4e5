/** The index of a rule among others. */
import { assert } from '#base';
import type { Position, RulesetRule } from '../model.ts';

/** From 0: before which of the rules; after them all if it equals the number of rules. */
export function indexOfPosition(position: Position, rules: readonly RulesetRule[]): number {
  if ('index' in position) return position.index - 1;
  if ('before' in position) return position.before === '' ? 0 : indexOf(position.before, rules);
  return position.after === '' ? rules.length : indexOf(position.after, rules) + 1;
}

function indexOf(ruleId: string, rules: readonly RulesetRule[]): number {
  const index = rules.findIndex(({ id }) => id === ruleId);
  assert(index !== -1, `a checked position names a rule: ${ruleId}`);
  return index;
}

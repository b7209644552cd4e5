/**
 * A rule that looks for a pattern in several places is split into a clause for each: what one place holds then does not
 * get the pattern run on the others.
 */
import type { Expression } from '../../ast.ts';
import { Costs } from './costs.ts';

/** What is cheaper to test than this is not worth a clause, which has a function and a guard of its own. */
const clauseCostMin = 50;

/** The expression is true if one of its clauses is. */
export function clausesOf(expression: Expression, costs = new Costs()): readonly Expression[] {
  if (expression.kind !== 'or') return [expression];
  if (expression.items.every((item) => costs.of(item) < clauseCostMin)) return [expression];
  return expression.items.flatMap((item) => clausesOf(item, costs));
}

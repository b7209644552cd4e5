/**
 * A rule that looks for a pattern in several fields is split into one clause per field: a match of the guard in one field
 * then does not run the pattern on the others.
 */
import type { Expression } from '../../ast.ts';
import { Costs } from './costs.ts';

/** A cheaper test is not worth a clause, which has its own function and guard. */
const clauseCostMin = 50;

/** Splits the expression into clauses: it is true if one of them is. */
export function splitIntoClauses(expression: Expression, costs = new Costs()): readonly Expression[] {
  if (expression.kind !== 'or') return [expression];
  if (expression.items.every((item) => costs.get(item) < clauseCostMin)) return [expression];
  return expression.items.flatMap((item) => splitIntoClauses(item, costs));
}

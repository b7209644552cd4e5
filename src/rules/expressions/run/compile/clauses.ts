/**
 * Splits a rule that searches several fields for a pattern into one clause per field: a match of the guard in one field
 * then does not run the pattern on the others.
 */
import type { Pieces } from '#work';
import type { Expression, Filter } from '../../ast.ts';
import { Costs } from './costs.ts';
import { chooseGuards } from './guard-choice.ts';
import { findGuards, type Guard } from './guard.ts';
import type { Keys } from './keys.ts';

/** A cheaper test does not justify a clause, which has its own function and guard. */
const clauseCostMin = 50;

/** Splits the expression into clauses: it is true if one of them is. */
export function splitIntoClauses(expression: Expression, costs = new Costs()): readonly Expression[] {
  if (expression.kind !== 'or') return [expression];
  if (expression.items.every((item) => costs.get(item) < clauseCostMin)) return [expression];
  return expression.items.flatMap((item) => splitIntoClauses(item, costs));
}

interface Clause {
  readonly expression: Expression;
  /** The position of its rule. */
  readonly rule: number;
}

export interface GuardedClauses {
  /** The guard of each clause, if it has one. */
  readonly clauses: readonly Clause[];
  /** The guard of each, if it has one. */
  readonly guards: readonly (Guard | undefined)[];
}

/** Steps per character of a rule for finding guards. */
const stepsPerCharacter = 10;

export function* guardClauses(filters: readonly Filter[], keys: Keys): Pieces<GuardedClauses> {
  const clauses: Clause[] = [];
  const alternatives: (readonly Guard[])[] = [];
  for (const [rule, { root, source }] of filters.entries()) {
    for (const expression of splitIntoClauses(root)) {
      clauses.push({ expression, rule });
      alternatives.push(findGuards(expression));
    }
    yield source.length * stepsPerCharacter;
  }
  return { clauses, guards: yield* chooseGuards(alternatives, keys) };
}

/** Visits every operand and every comparison of a tree, in the order of the source. */
import type { Argument, Comparison, Expression, Filter, Operand, ValueExpression } from '../ast.ts';

export type Visited = Operand | Comparison;

export function* walk({ root }: Filter | ValueExpression): Generator<Visited> {
  yield* root.kind === 'operand' || root.kind === 'expression' ? walkArgument(root) : walkExpression(root);
}

function* walkExpression(expression: Expression): Generator<Visited> {
  switch (expression.kind) {
    case 'and':
    case 'or':
    case 'xor':
      for (const item of expression.items) yield* walkExpression(item);
      return;
    case 'any':
    case 'all':
      yield* expression.item.kind === 'operand'
        ? walkArgument(expression.item)
        : walkExpression(expression.item);
      return;
    case 'not':
      yield* walkExpression(expression.item);
      return;
    case 'truth':
      yield* walkArgument(expression.operand);
      return;
    case 'comparison':
      yield* walkArgument(expression.operand);
      yield expression;
  }
}

function* walkArgument(argument: Argument): Generator<Visited> {
  if (argument.kind === 'expression') yield* walkExpression(argument.expression);
  if (argument.kind !== 'operand') return;
  yield argument;
  if (argument.root.kind === 'call') for (const inner of argument.root.args) yield* walkArgument(inner);
}

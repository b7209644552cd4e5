/**
 * Estimates which parts of an expression are worth caching, and which to evaluate first. Orders of magnitude, in
 * nanoseconds.
 */
import type { Argument, Expression, Operand, Predicate } from '../../ast.ts';

const callCost = 100;
const stepCost = 15;
const elementsCost = 200;

/** Below this, checking for a cached value costs as much as computing it. */
const costlyMin = 10;

const testCosts: Readonly<Record<Predicate['operator'], number>> = {
  eq: 1,
  ne: 1,
  lt: 2,
  le: 2,
  gt: 2,
  ge: 2,
  bitwise_and: 2,
  in: 8,
  'in list': 30,
  contains: 25,
  wildcard: 100,
  'strict wildcard': 60,
  matches: 50,
};

export class Costs {
  /** In deep expressions the cost of each part is needed repeatedly. */
  readonly #known = new Map<Expression, number>();

  get(expression: Expression): number {
    let cost = this.#known.get(expression);
    if (cost === undefined) this.#known.set(expression, (cost = this.#compute(expression)));
    return cost;
  }

  isCostly(expression: Expression): boolean {
    return expression.kind !== 'truth' && this.get(expression) >= costlyMin;
  }

  #compute(expression: Expression): number {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor':
        return expression.items.reduce((sum, item) => sum + this.get(item), 0);
      case 'not':
        return this.get(expression.item);
      case 'any':
      case 'all': {
        const { item } = expression;
        return elementsCost + (item.kind === 'operand' ? this.#computeOperand(item) : this.get(item));
      }
      case 'truth':
        return this.#computeOperand(expression.operand);
      default:
        return this.#computeOperand(expression.operand) + testCosts[expression.predicate.operator];
    }
  }

  #computeOperand({ root, path }: Operand): number {
    const steps = path.length * stepCost;
    // A field that becomes available with the body may be long.
    if (root.kind === 'field') return steps + (root.field.stage === 'body' ? callCost : 1);
    return root.args.reduce((sum, argument) => sum + this.#computeArgument(argument), callCost + steps);
  }

  #computeArgument(argument: Argument): number {
    if (argument.kind === 'operand') return this.#computeOperand(argument);
    return argument.kind === 'expression' ? this.get(argument.expression) : 0;
  }
}

export function isCostlyOperand(operand: Operand): boolean {
  return operand.root.kind === 'call' || operand.path.length > 0;
}

export function mayBeNil({ root, path }: Operand): boolean {
  return root.kind === 'call' || path.length > 0;
}

/** Which parts of an expression are worth keeping, and which to try first. Orders of magnitude, in nanoseconds. */
import type { Argument, Expression, Operand, Test } from '../../ast.ts';

const callCost = 100;
const stepCost = 15;
const elementsCost = 200;

/** Below this, asking whether a value is known costs as much as computing it. */
const costlyMin = 10;

const testCosts: Readonly<Record<Test['operator'], number>> = {
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
  /** Of deep expressions each part is asked for again and again. */
  readonly #known = new Map<Expression, number>();

  of(expression: Expression): number {
    let cost = this.#known.get(expression);
    if (cost === undefined) this.#known.set(expression, (cost = this.#compute(expression)));
    return cost;
  }

  isCostly(expression: Expression): boolean {
    return expression.kind !== 'truth' && this.of(expression) >= costlyMin;
  }

  #compute(expression: Expression): number {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor':
        return expression.items.reduce((sum, item) => sum + this.of(item), 0);
      case 'not':
        return this.of(expression.item);
      case 'any':
      case 'all': {
        const { item } = expression;
        return elementsCost + (item.kind === 'operand' ? this.#operand(item) : this.of(item));
      }
      case 'truth':
        return this.#operand(expression.operand);
      default:
        return this.#operand(expression.operand) + testCosts[expression.test.operator];
    }
  }

  #operand({ root, path }: Operand): number {
    const steps = path.length * stepCost;
    // A field that is read once the body is there may be long.
    if (root.kind === 'field') return steps + (root.field.stage === 'body' ? callCost : 1);
    return root.args.reduce((sum, argument) => sum + this.#argument(argument), callCost + steps);
  }

  #argument(argument: Argument): number {
    if (argument.kind === 'operand') return this.#operand(argument);
    return argument.kind === 'expression' ? this.of(argument.expression) : 0;
  }
}

export function isCostlyOperand(operand: Operand): boolean {
  return operand.root.kind === 'call' || operand.path.length > 0;
}

export function mayBeNil({ root, path }: Operand): boolean {
  return root.kind === 'call' || path.length > 0;
}

/** Reads an expression that a client sent, in the form in which it is stored. */
import { checkExpression, type Plan } from '#rulesets';
import { fault, filterCodes } from '#contract';
import type { Directory } from '../../context/directory.ts';

export interface ExpressionPlace {
  readonly directory: Directory;
  readonly plan: Plan;
  /** The pointer to the expression in the body. */
  readonly pointer?: string;
}

/** Returns the expression without surrounding white space, or throws a fault that says what is wrong with it. */
export function readExpression(sent: string, { directory, plan, pointer }: ExpressionPlace): string {
  const expression = sent.trim();
  const checked = checkExpression(expression, { plan, lists: directory.listKinds });
  if (checked.ok) return expression;
  const { kind, filterText } = checked.fault;
  const code = kind === 'not entitled' ? filterCodes.filterNotEntitled : filterCodes.filterInvalid;
  throw fault(code, { fill: { reason: filterText }, ...(pointer === undefined ? {} : { pointer }) });
}

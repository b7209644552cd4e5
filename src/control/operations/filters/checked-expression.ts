/** An expression that a client sent, as it is kept. */
import { checkExpression } from '#firewall';
import type { Plan } from '#expressions';
import { fault, filterCodes } from '#api';
import type { Directory } from '../../context/directory.ts';

export interface ExpressionPlace {
  readonly directory: Directory;
  readonly plan: Plan;
  /** Of the expression in the body. */
  readonly pointer?: string;
}

/** Trimmed; or a fault that says what is wrong with it. */
export function checkedExpression(sent: string, { directory, plan, pointer }: ExpressionPlace): string {
  const expression = sent.trim();
  const checked = checkExpression(expression, { plan, lists: directory.listKinds });
  if (checked.ok) return expression;
  const { kind, filterText } = checked.fault;
  const code = kind === 'not entitled' ? filterCodes.filterNotEntitled : filterCodes.filterInvalid;
  throw fault(code, { fill: { reason: filterText }, ...(pointer === undefined ? {} : { pointer }) });
}

/** Checks an expression that belongs to no zone. The result is null, or the first problem. */
import { ok } from '#contract';
import type { Context, Handlers } from '../../context/handler.ts';
import { readExpression } from './read-expression.ts';

/** An expression is valid if any plan allows it. */
const plan = 'enterprise';

export const validateExpressionHandlers: Handlers<
  Context,
  'filters.validateExpression' | 'filters.validateSentExpression'
> = {
  'filters.validateExpression'({ directory }, { query: { expression = '' } }) {
    readExpression(expression, { directory, plan });
    return ok(null);
  },

  'filters.validateSentExpression'({ directory }, { body: { expression } }) {
    readExpression(expression, { directory, plan, pointer: '/expression' });
    return ok(null);
  },
};

/** The check of an expression that belongs to no zone. It answers with null, or with the one thing that is wrong. */
import { ok, type validateExpressionOperations } from '#api';
import type { Context, Handlers } from '../../context/handler.ts';
import { checkedExpression } from './checked-expression.ts';

/** Whatever some plan allows is a valid expression. */
const plan = 'enterprise';

export const validateExpressionHandlers: Handlers<Context, typeof validateExpressionOperations> = {
  'filters.validateExpression'({ directory }, { query: { expression = '' } }) {
    checkedExpression(expression, { directory, plan });
    return ok(null);
  },

  'filters.validateSentExpression'({ directory }, { body: { expression } }) {
    checkedExpression(expression, { directory, plan, pointer: '/expression' });
    return ok(null);
  },
};

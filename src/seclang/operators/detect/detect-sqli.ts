import { findSqlInjection } from '../../detect/sql.ts';
import type { OperatorDefinition } from '../operator.ts';

/** Captures the shape of the tokens. */
export const detectSQLi: OperatorDefinition = {
  name: 'detectsqli',
  prepare: () => ({
    test: (value) => findSqlInjection(value) !== undefined,
    capture: (value) => [findSqlInjection(value)],
  }),
};

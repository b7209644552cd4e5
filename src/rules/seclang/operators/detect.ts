/** Operators that detect SQL injection and scripts. */
import { findScript, signsOfMarkup } from '../detect/markup.ts';
import { findSqlInjection, signsOfSql } from '../detect/sql.ts';
import type { OperatorDefinition } from './operator.ts';

/** Captures the shape of the tokens. */
export const detectSQLi: OperatorDefinition = {
  name: 'detectsqli',
  prepare: () => ({
    literals: { literals: signsOfSql, ignoreCase: true },
    test: (value) => findSqlInjection(value) !== undefined,
    capture: (value) => [findSqlInjection(value)],
  }),
};

export const detectXSS: OperatorDefinition = {
  name: 'detectxss',
  prepare: () => ({
    literals: { literals: signsOfMarkup, ignoreCase: false },
    test: (value) => findScript(value) !== undefined,
    capture: (value) => [findScript(value)],
  }),
};
